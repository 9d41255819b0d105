import { sections } from "@/components/portal/sections";
import { settingsPages } from "@/components/portal/settings-pages";
import {
  displayGroups,
  formGroups,
  moderationGroups,
  questionGroups,
  sendingGroups,
  shopGroups,
} from "@/components/settings/field-groups";
import type { Group } from "@/components/settings/settings-form";
import type { Role } from "@/lib/platform/http/contract";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

/** A page, setting or action that the search finds by its name. `role`: the lowest that may see it. */
export type Destination = { kind: "page" | "setting" | "action"; name: string; path: string; role: Role };

/** Lists that the navigation doesn't name. */
const lists: { name: MessageKey; path: string }[] = [
  { name: "common.sellerReviews", path: "/portal/library?kind=seller_review" },
  { name: "common.questions", path: "/portal/library?kind=question" },
  { name: "queue.photos", path: "/portal/library/photos" },
  { name: "common.notifications", path: "/portal/notifications" },
];

const actions: { name: MessageKey; path: string; role: Role }[] = [
  { name: "webhooks.createWebhook", path: "/portal/integrations", role: "admin" },
  { name: "team.inviteTitle", path: "/portal/settings/people", role: "admin" },
  { name: "apiKeys.newKeyTitle", path: "/portal/settings/keys", role: "admin" },
  { name: "common.addFeed", path: "/portal/feeds", role: "admin" },
];

/** All of them, translated on the server so that no script contains the names of all settings. */
export function destinations(t: Translate): Destination[] {
  const settings: [path: string, groups: Group[]][] = [
    ["/portal/settings", shopGroups(t, [])],
    ["/portal/settings/forms", formGroups(t)],
    ["/portal/settings/questions", questionGroups(t)],
    ["/portal/settings/moderation", moderationGroups(t)],
    ["/portal/settings/display", displayGroups(t)],
    ["/portal/settings/sending", sendingGroups(t, null)],
  ];
  return [
    ...[...sections, ...settingsPages].map(({ path, name, role = "viewer" }) => ({
      kind: "page" as const,
      name: t(name),
      path,
      role,
    })),
    ...lists.map(({ name, path }) => ({ kind: "page" as const, name: t(name), path, role: "viewer" as const })),
    ...settings.flatMap(([path, groups]) =>
      groups.flatMap(({ fields }) =>
        fields.map(({ label }) => ({ kind: "setting" as const, name: label, path, role: "viewer" as const })),
      ),
    ),
    ...actions.map(({ name, ...rest }) => ({ kind: "action" as const, name: t(name), ...rest })),
  ];
}
