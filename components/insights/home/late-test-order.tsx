"use client";

import { lateView } from "@/components/ui/late-view";

/** Most are past the test order when they look at their home: those who are not bring its form along. */
export const TestOrderForm = lateView(
  async () => (await import("@/components/insights/home/test-order-form")).TestOrderForm,
);
