/** Days between emails to a customer, if the client sets no other number. */
export const DEFAULT_QUARANTINE_DAYS = 21;

/** Origin from which a store's pages load the widget: its own host's, else this service's (`publicUrl`). */
export const widgetOriginOf = ({ widget_host: host }: { widget_host?: unknown }, publicUrl: string): string =>
  typeof host === "string" && host !== "" ? `${new URL(publicUrl).protocol}//${host}` : publicUrl;
