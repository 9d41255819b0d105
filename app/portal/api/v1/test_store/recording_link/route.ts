import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { replaceRecordingLinkContract } from "@/lib/test-clock/contract";
import { replaceRecordingLink } from "@/lib/test-clock/replace-link";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(replaceRecordingLinkContract, async ({ actor, client }) => ({
    data: await replaceRecordingLink(actor, client),
  })),
);
