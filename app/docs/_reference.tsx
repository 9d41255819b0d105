"use client";

import { useEffect, useRef } from "react";
import "@scalar/api-reference/style.css";
import "./reference.css";

/** The API reference, rendered by Scalar from this server's OpenAPI description. Makes no requests to other servers. */
export function Reference() {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isUnmounted = false;
    let reference: { destroy: () => void } | undefined;
    void import("@scalar/api-reference").then(({ createApiReference }) => {
      if (isUnmounted || !container.current) return;
      reference = createApiReference(container.current, {
        url: "/v1/openapi.json",
        // "Try it" calls the server that this page came from, under the host name in use.
        servers: [{ url: location.origin }],
        authentication: { preferredSecurityScheme: "bearer" },
        forceDarkModeState: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
        hideDarkModeToggle: true,
        theme: "none",
        withDefaultFonts: false,
        telemetry: false,
        agent: { disabled: true },
        mcp: { disabled: true },
        showDeveloperTools: "never",
        hideClientButton: true,
      });
    });
    return () => {
      isUnmounted = true;
      reference?.destroy();
    };
  }, []);
  return <div ref={container} className="reference" />;
}
