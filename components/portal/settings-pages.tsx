import { useTranslations } from "#messages";
import { Breadcrumbs } from "@/components/portal/breadcrumbs";
import { Link } from "@/components/ui/link";
import { ScrollIntoView } from "@/components/ui/scroll-into-view";
import { hasRole } from "@/lib/accounts/sign-in/rules";
import type { Role } from "@/lib/platform/http/contract";
import type { MessageKey } from "@/lib/platform/i18n/translator";

/** The settings pages, in order; `role`: the lowest that may see one. */
export const settingsPages: { path: string; name: MessageKey; role: Role }[] = [
  { path: "/portal/settings", name: "navigation.store", role: "viewer" },
  { path: "/portal/settings/forms", name: "navigation.forms", role: "viewer" },
  { path: "/portal/settings/questions", name: "navigation.customQuestions", role: "viewer" },
  { path: "/portal/settings/moderation", name: "navigation.moderation", role: "viewer" },
  { path: "/portal/settings/display", name: "navigation.display", role: "viewer" },
  { path: "/portal/settings/sending", name: "navigation.emails", role: "viewer" },
  { path: "/portal/settings/templates", name: "navigation.templates", role: "viewer" },
  { path: "/portal/settings/invitations", name: "navigation.simulation", role: "viewer" },
  { path: "/portal/settings/people", name: "navigation.people", role: "admin" },
  { path: "/portal/settings/keys", name: "navigation.apiKeys", role: "admin" },
  { path: "/portal/audit", name: "navigation.auditLog", role: "admin" },
];

type Props = { currentPath: string; role: Role; clientId: string | undefined };

export function SettingsPages({ currentPath, role, clientId }: Props) {
  const t = useTranslations();
  const shown = settingsPages.filter((page) => hasRole(role, page.role));
  if (shown.length < 2) return null;
  const href = (path: string) => (clientId === undefined ? path : `${path}?client_id=${encodeURIComponent(clientId)}`);
  const current = shown.find(({ path }) => path === currentPath);
  return (
    <>
      {current && (
        <Breadcrumbs
          trail={[{ name: t("navigation.settings"), href: href("/portal/settings") }]}
          current={t(current.name)}
        />
      )}
      <nav
        aria-label={t("navigation.settings")}
        className="scroll-edges -mx-4 mb-6 overflow-x-auto border-b [--ground:var(--color-surface)] border-line px-4 lg:mx-0 lg:px-0"
      >
        <ul className="flex gap-5">
          {shown.map(({ path, name }) => (
            <li key={path}>
              <Link
                href={href(path)}
                aria-current={path === currentPath ? "page" : undefined}
                className="-mb-px flex h-10 items-center border-b-2 border-transparent text-sm font-medium whitespace-nowrap text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
              >
                {t(name)}
                {path === currentPath && <ScrollIntoView />}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}
