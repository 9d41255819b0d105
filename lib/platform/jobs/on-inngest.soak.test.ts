import { testEngineFunctions } from "@/lib/platform/jobs/fixtures/engine-tests";
import { startInngestFake } from "@/lib/tools/test/engines";

// The service's own jobs are tested on Inngest in inngest/on-inngest.db.test.ts.

testEngineFunctions(startInngestFake);
