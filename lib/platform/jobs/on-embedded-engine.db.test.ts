import { testFunctionsOn } from "@/lib/platform/jobs/fixtures/functions-on";
import { startEmbedded } from "@/lib/tools/test/engines";

testFunctionsOn(startEmbedded);
