import "@fontsource-variable/inter/opsz.css";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { requestLanguage } from "@/lib/accounts/sign-in/language-of-request";

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
  // Every page is rendered for its request: its scripts carry the nonce of that request's Content-Security-Policy.
  await connection();
  return (
    <html lang={await requestLanguage()}>
      <body className="min-h-dvh">{children}</body>
    </html>
  );
}
