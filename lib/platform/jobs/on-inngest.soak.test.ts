import { testFunctionsOn } from "@/lib/platform/jobs/fixtures/functions-on";
import { startDouble } from "@/lib/tools/test/engines";

// The service's own jobs on Inngest: inngest/on-inngest.db.test.ts.

testFunctionsOn(startDouble);
