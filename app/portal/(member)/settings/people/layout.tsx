import { withMessages } from "@/app/_words";

export default withMessages("access", "people");
