import { deliverMails } from "@/lib/platform/mail/deliver-mails";

// A process of its own that hands mails over, as the job does: to be killed.
await deliverMails(process.argv.slice(2));
process.exit(0);
