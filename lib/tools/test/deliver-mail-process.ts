import { deliverMails } from "@/lib/platform/mail/deliver-mails";

// A process that sends emails as the job does, for tests that kill it.
await deliverMails(process.argv.slice(2));
process.exit(0);
