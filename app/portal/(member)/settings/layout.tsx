import { withMessages } from "@/app/_messages";

export default withMessages(
  "settings",
  "charts",
  "customQuestions",
  "decisions",
  "moderationRules",
  "emailPreview",
  "widgetSettings",
  "templates",
);
