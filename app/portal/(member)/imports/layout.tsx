import { withMessages } from "@/app/_messages";

export default withMessages("imports");
