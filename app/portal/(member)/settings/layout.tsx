import { withMessages } from "@/app/_messages";

export default withMessages(
  "settings",
  "customQuestions",
  "decisions",
  "moderationRules",
  "emailPreview",
  "widgetSettings",
  "templates",
);
