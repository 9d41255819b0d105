import "@fontsource-variable/inter/opsz.css";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { MessagesProvider } from "@/components/portal/messages";
import { messagesFor } from "@/lib/accounts/language/request-language";

export const metadata: Metadata = {
  title: { default: "Candor", template: "%s · Candor" },
  robots: { index: false, follow: false },
  referrer: "same-origin",
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#faf8f5" },
    { media: "(prefers-color-scheme: dark)", color: "#151412" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Render every page per request: its scripts carry the nonce of the request's Content-Security-Policy.
  await connection();
  // For the error page, which can replace any page.
  const texts = await messagesFor("page");
  return (
    <html lang={texts.language}>
      <body className="min-h-dvh">
        <MessagesProvider {...texts}>{children}</MessagesProvider>
      </body>
    </html>
  );
}
