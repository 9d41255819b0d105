import { withMessages } from "@/app/_messages";

export default withMessages("analytics", "charts", "decisions", "library", "queue");
