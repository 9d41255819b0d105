import { asking } from "@/app/_asking";

export default asking("operation");
