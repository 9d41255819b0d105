import { type Format, makeEngines, render } from "@/lib/platform/mail/liquid-engine.mjs";
import { perProcess } from "@/lib/platform/process";

/** Fills in a template of our own, here and at once. Those of clients go to {@link file://./liquid-apart.ts}. */
export const renderLiquid = (format: Format, template: string, values: object): string =>
  render(perProcess("liquid", makeEngines), format, template, values);
