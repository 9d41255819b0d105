import { nowhere } from "@/lib/http/methods";

// Whatever no other folder here answers.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nowhere({ cors: true });
