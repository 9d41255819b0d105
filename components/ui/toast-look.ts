import clsx from "clsx";

export type ToastMessage = {
  /** a second message with the same id takes the first one's place */
  id: string;
  text: string;
  tone?: "plain" | "bad";
  /** milliseconds it stays; it waits while it has the pointer or the focus */
  duration?: number;
  action?: {
    label: string /** what to do instead, for those who cannot reach it in time */;
    hint: string;
    run: () => void;
  };
};

export type Toaster = { show: (message: ToastMessage) => void; hide: (id: string) => void };

/** Above the bar of actions at the foot of work pages. */
export const toastPlace =
  "pointer-events-none fixed inset-x-4 bottom-34 z-50 mx-auto flex max-w-md flex-col gap-2 outline-none lg:bottom-20";

export const toastClass = ({ tone }: ToastMessage): string =>
  clsx(
    "pointer-events-auto flex items-center gap-3 rounded-card py-2.5 pr-2.5 pl-4 text-sm shadow-float",
    tone === "bad" ? "bg-bad text-on-solid" : "bg-ink text-surface",
  );
