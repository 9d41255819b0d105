import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { perProcess } from "@/lib/platform/process";

/** The answer to the page that is being drawn. The server and the pages are built apart, and have this together. */
const pageResponses = perProcess("page-answers", () => new AsyncLocalStorage<ServerResponse>());

/** Draws a page that may say by {@link setNotFoundStatus} that there is nothing to show. */
export const withPageResponse = <T>(response: ServerResponse, draw: () => T): T => pageResponses.run(response, draw);

/**
 * Has the page that is being drawn answered by 404, as it is. What Next throws for that leaves an empty page, which a script
 * fills: without JavaScript nothing is said at all. It is for what a page says of its head: `htmlLimitedBots` in
 * next.config.mjs has the answer begin after that, for everybody. Under plain `next start`, where nobody listens, the status
 * stays 200.
 */
export function setNotFoundStatus(): void {
  const response = pageResponses.getStore();
  if (response && !response.headersSent) response.statusCode = 404;
}
