import { cleanUp } from "@/inngest/functions/clean-up";
import { sendInvitations } from "@/inngest/functions/send-invitations";

/** All functions, for either engine. */
export const functions = [cleanUp, sendInvitations];
