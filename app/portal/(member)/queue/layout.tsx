import { withMessages } from "@/app/_words";

export default withMessages("queue", "judging", "sent");
