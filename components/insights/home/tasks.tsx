import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import { Link } from "@/components/ui/link";
import { formatCount } from "@/lib/platform/i18n/format";
import type { MessageKey } from "@/lib/platform/i18n/translator";

export type TaskLine = {
  icon: ReactNode;
  href: string;
  text: ReactNode;
  hint?: string;
};

/** Open tasks, each a link to exactly those rows. */
export function Tasks({ label, tasks }: { label: string; tasks: TaskLine[] }) {
  return (
    <section aria-label={label}>
      <h2 className="mb-2 font-semibold">{label}</h2>
      <ul className="overflow-hidden rounded-card border border-line bg-raised shadow-raised">
        {tasks.map(({ icon, href, text, hint }) => (
          <li key={href} className="border-b border-line last:border-b-0">
            <Link href={href} className="flex items-center gap-3.5 px-5 py-3.5 -outline-offset-2 hover:bg-sunken/60">
              {icon}
              <span className="min-w-0 flex-1">
                <span className="block text-sm">{text}</span>
                {hint && <span className="block text-sm text-muted">{hint}</span>}
              </span>
              <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `7 emails`, `1 email`, `99+ emails`: `message` contains the number as `{count}`, with both plural forms. */
export function Count({ count, max, message }: { count: number; max: number; message: MessageKey }) {
  const t = useTranslations();
  const shown = formatCount(Math.min(count, max), t.language, count > max);
  return t.rich(message, { n: count, count: <span className="figures font-semibold">{shown}</span> });
}
