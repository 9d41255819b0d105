import { asking } from "@/app/_asking";

export default asking("sent", "integrations", "webhooks");
