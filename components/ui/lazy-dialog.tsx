"use client";

import {
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import { createPortal } from "react-dom";
import { useTranslations } from "#messages";
import { Button } from "./button";
import { fallback } from "./fallback";
import { findOpener } from "./find-opener";
import { Notice } from "./notice";

// Dialogs and parts of pages in separate scripts, loaded when first shown. If the page was left open, the script may be gone after an
// upgrade: then the dialog shows an error, and the page stays.

/** Selects a dialog or menu that is open or about to open. */
export const openOverlay = ":is([role=dialog], [role=menu], [data-opening]):not([data-state=closed])";

export type DialogState = { open: boolean; close: () => void };

/** A dialog that is loaded when first opened. It stays mounted, so that its closing is visible. */
export function lazyDialog<P extends object>(
  load: () => Promise<ComponentType<P>>,
  stateOf: (props: P) => DialogState,
): ComponentType<P> {
  const NotLoaded = (props: P) => <DialogPlaceholder {...stateOf(props)} failed />;
  const Loaded = lazy(() => load().then((Window) => ({ default: Window }), fallback({ default: NotLoaded })));
  return function LazyDialog(props: P) {
    const state = stateOf(props);
    const opened = useRef(false);
    opened.current ||= state.open;
    return (
      opened.current && <Suspense fallback={<DialogPlaceholder {...state} />}>{createElement(Loaded, props)}</Suspense>
    );
  };
}

/**
 * A part of a page that is loaded when first shown, with `loading` in its place until then. It is in a boundary of its
 * own: without one, the page would stay as it was until the script arrived, and a key pressed meanwhile would act on the
 * former item.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  loading: ReactNode = null,
): ComponentType<P> {
  const Loaded = lazy(() => load().then((Part) => ({ default: Part }), fallback({ default: LoadError })));
  return function LazyPart(props: P) {
    return <Suspense fallback={loading}>{createElement(Loaded, props)}</Suspense>;
  };
}

/** Shown while a dialog is loading, or if it can't be loaded. */
export const DialogPlaceholder = ({ open, ...props }: DialogState & { failed?: boolean }) =>
  open && <OpenPlaceholder {...props} />;

function OpenPlaceholder({ close, failed = false }: Pick<DialogState, "close"> & { failed?: boolean }) {
  const t = useTranslations();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    const opener = findOpener();
    shown?.showModal();
    return () => {
      shown?.close();
      opener?.focus(); // the dialog itself returns focus here
    };
  }, []);
  // Keys pressed meanwhile aren't for the page (moderation/use-shortcuts.ts).
  return createPortal(
    failed ? (
      <dialog
        ref={dialog}
        data-opening=""
        aria-label={t("common.errorLoading")}
        onCancel={close}
        className="m-auto w-[min(30rem,92vw)] rounded-card bg-raised p-5 text-ink shadow-float backdrop:bg-shade sm:p-6"
      >
        <p>{t("common.errorLoading")}</p>
        <div className="mt-4 flex flex-wrap gap-2">
          <Reload />
          <Button onClick={close}>{t("common.close")}</Button>
        </div>
      </dialog>
    ) : (
      <dialog
        ref={dialog}
        data-opening=""
        aria-label={t("common.loading")}
        onCancel={close}
        className="size-full max-h-none max-w-none bg-transparent backdrop:bg-shade"
      >
        <button type="button" aria-label={t("common.close")} onClick={close} className="size-full outline-none" />
      </dialog>
    ),
    document.body,
  );
}

function Reload() {
  const t = useTranslations();
  return (
    <Button variant="primary" onClick={() => location.reload()}>
      {t("common.reloadPage")}
    </Button>
  );
}

/** `onReady`: of a part that reports when it is loaded, so that nothing waits for it. */
export function LoadError({ onReady }: { onReady?: () => void }) {
  const t = useTranslations();
  useEffect(() => onReady?.(), [onReady]);
  return (
    <Notice tone="bad" alert>
      <span className="mr-3">{t("common.errorLoading")}</span>
      <Reload />
    </Notice>
  );
}
