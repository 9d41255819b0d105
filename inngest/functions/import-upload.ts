import { inngest, onEvent } from "@/inngest/client";
import { importUpload } from "@/lib/feeds/upload-feed";

/** Imports an uploaded file; few concurrently, and those of one client in sequence. */
export const importUploadedFile = inngest.createFunction(
  {
    id: "import-upload",
    triggers: [onEvent("feed/uploaded")],
    concurrency: { limit: 1, key: "event.data.lane" },
  },
  async ({ event, step }) => {
    const { client_id, upload_id, confirm_deletions: confirmDeletions } = event.data;
    return step.run("import", () => importUpload(client_id, upload_id, { confirmDeletions }));
  },
);
