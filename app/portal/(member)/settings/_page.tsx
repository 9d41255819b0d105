import clsx from "clsx";
import type { ReactNode } from "react";
import { requireMember, type Search } from "@/app/_guard";
import { PageHead } from "@/components/portal/page-head";
import { SettingsPages } from "@/components/portal/settings-pages";
import type { SettingsPageProps } from "@/components/settings/settings-form";
import { type Actor, hasRole } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { ClientSettings } from "@/lib/accounts/stores/settings";

type Props = {
  path: string;
  searchParams: Promise<Search>;
  title: string;
  text: string;
  /** for pages with a preview beside their fields */
  isWide?: boolean;
  children: (props: SettingsPageProps, client: ClientRow, actor: Actor) => ReactNode | Promise<ReactNode>;
};

/** A settings page: its guard, its header and the data for its form. */
export async function SettingsPage({ path, searchParams, title, text, isWide = false, children }: Props) {
  const { actor, client, clientId } = await requireMember({ path, search: await searchParams });
  const names = Object.keys(ClientSettings.shape);
  const settings = Object.fromEntries(names.map((name) => [name, client[name as keyof ClientRow]])) as ClientSettings;
  return (
    <div className={clsx("mx-auto px-4 py-6 lg:px-8", isWide ? "max-w-[88rem]" : "max-w-6xl")}>
      <SettingsPages currentPath={path} role={actor.role} clientId={clientId} />
      <PageHead title={title}>{text}</PageHead>
      <div className={isWide ? "max-w-3xl xl:max-w-none" : "max-w-3xl"}>
        {
          await children(
            { clientId: client.id, version: client.version, settings, mayChange: hasRole(actor.role, "admin") },
            client,
            actor,
          )
        }
      </div>
    </div>
  );
}
