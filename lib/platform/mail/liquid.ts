import { type Format, makeEngines, render } from "@/lib/platform/mail/liquid-engine.mjs";
import { perProcess } from "@/lib/platform/process";

/**
 * Renders one of the service's own templates, synchronously in this process. For clients' templates see {@link
 * file://./liquid-worker.ts}.
 */
export const renderLiquid = (format: Format, template: string, values: object): string =>
  render(
    perProcess("liquid", () => makeEngines({ isTrusted: true })),
    format,
    template,
    values,
  );
