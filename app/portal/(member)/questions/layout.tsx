import { asking } from "@/app/_asking";

export default asking("queue", "judging", "sent");
