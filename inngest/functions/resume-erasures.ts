import { inngest, scheduleTriggers } from "@/inngest/client";
import { listStalledRequests } from "@/lib/privacy/erasure-requests";

/** Every ten minutes: resumes erasures without progress for that long. */
export const resumeErasures = inngest.createFunction(
  { id: "resume-erasures", triggers: [...scheduleTriggers("resume-erasures", "*/10 * * * *")] },
  async ({ step }) => {
    const stalled = await step.run("list stalled", () => listStalledRequests());
    if (stalled.length === 0) return { resumed: 0 };
    await step.sendEvent(
      "resume each",
      stalled.map((data) => ({ name: "personal_data/deletion_requested", data })),
    );
    return { resumed: stalled.length };
  },
);
