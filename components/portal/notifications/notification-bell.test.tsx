import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { NotificationBell } from "@/components/portal/notifications/notification-bell";
import { unreadCountOptions } from "@/components/portal/notifications/queries";
import { renderInEnglish } from "@/lib/tools/test/render";

function bellWith(count?: { count: number; more: boolean }): { name: string | undefined; text: string } {
  const cache = new QueryClient();
  if (count) cache.setQueryData(unreadCountOptions.queryKey, count);
  const html = renderInEnglish(
    <QueryClientProvider client={cache}>
      <NotificationBell />
    </QueryClientProvider>,
  );
  return { name: /aria-label="([^"]*)"/.exec(html)?.[1], text: html.replace(/<[^>]*>/g, "") };
}

it("shows and says how many are unread, and nothing while there are none or counting fails", () => {
  expect(bellWith()).toEqual({ name: "Notifications", text: "" });
  expect(bellWith({ count: 0, more: false })).toEqual({ name: "Notifications", text: "" });
  expect(bellWith({ count: 3, more: false })).toEqual({ name: "Notifications: 3 unread", text: "3" });
  expect(bellWith({ count: 99, more: true })).toEqual({ name: "Notifications: 99+ unread", text: "99+" });
});
