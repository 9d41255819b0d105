import { POST } from "@/app/v1/orders/route";

// A process that posts an order with an Idempotency-Key, for tests that kill it.
const [key = "", idempotencyKey = "", order = ""] = process.argv.slice(2);
await POST(
  new Request("http://localhost:3000/v1/orders", {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      "Idempotency-Key": idempotencyKey,
    },
    body: order,
  }),
);
process.exit(0);
