import { POST } from "@/app/v1/orders/route";

// A process of its own that posts an order under an Idempotency-Key: to be killed.
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
