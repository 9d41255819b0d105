import { testEngineFunctions } from "@/lib/platform/jobs/fixtures/engine-tests";
import { startEmbedded } from "@/lib/tools/test/engines";

testEngineFunctions(startEmbedded);
