import { speaking } from "@/app/_words";

export default speaking("own");
