import { useWords } from "#words";
import { IntoView } from "@/components/ui/into-view";
import { Link } from "@/components/ui/link";
import { hasRole } from "@/lib/accounts/sign-in/rules";
import type { Role } from "@/lib/platform/http/contract";

/** The settings' pages, in their order; `role`: the least that sees one. */
export const settingsPages: { path: string; name: string; role: Role }[] = [
  { path: "/portal/settings", name: "Shop", role: "viewer" },
  { path: "/portal/settings/forms", name: "Forms", role: "viewer" },
  { path: "/portal/settings/questions", name: "Own questions", role: "viewer" },
  { path: "/portal/settings/moderation", name: "Moderation", role: "viewer" },
  { path: "/portal/settings/display", name: "Display", role: "viewer" },
  { path: "/portal/settings/sending", name: "Mails", role: "viewer" },
  { path: "/portal/settings/templates", name: "Templates", role: "viewer" },
  { path: "/portal/settings/invitations", name: "Rehearsal", role: "viewer" },
  { path: "/portal/settings/people", name: "People", role: "admin" },
  { path: "/portal/settings/keys", name: "API keys", role: "admin" },
  { path: "/portal/audit", name: "Audit", role: "admin" },
];

type Props = { here: string; role: Role; clientId: string | undefined };

export function SettingsPages({ here, role, clientId }: Props) {
  const t = useWords();
  const shown = settingsPages.filter((page) => hasRole(role, page.role));
  if (shown.length < 2) return null;
  return (
    <nav
      aria-label={t("Settings")}
      className="scroll-edges -mx-4 mb-6 overflow-x-auto border-b [--ground:var(--color-surface)] border-line px-4 lg:mx-0 lg:px-0"
    >
      <ul className="flex gap-5">
        {shown.map(({ path, name }) => (
          <li key={path}>
            <Link
              href={clientId === undefined ? path : `${path}?client_id=${encodeURIComponent(clientId)}`}
              aria-current={path === here ? "page" : undefined}
              className="-mb-px flex h-10 items-center border-b-2 border-transparent text-sm font-medium whitespace-nowrap text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
            >
              {t(name)}
              {path === here && <IntoView />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
