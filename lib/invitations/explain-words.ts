type Stage = "planned" | "sent" | "handed" | "untaken" | "delivered" | "bounced" | "opened";

/** What the way of a mail is called, for those that ask and for reminders. */
export const mailWords: Record<Stage, string> = {
  planned: "The mail was planned.",
  sent: "The mail was sent.",
  handed: "The mail was handed to your own sender.",
  untaken: "The mail was handed to your own sender, which did not take it.",
  delivered: "The mail was delivered.",
  bounced: "The mail came back.",
  opened: "The mail was opened.",
};
export const reminderWords: Record<Stage, string> = {
  planned: "The reminder was planned.",
  sent: "The reminder was sent.",
  handed: "The reminder was handed to your own sender.",
  untaken: "The reminder was handed to your own sender, which did not take it.",
  delivered: "The reminder was delivered.",
  bounced: "The reminder came back.",
  opened: "The reminder was opened.",
};
