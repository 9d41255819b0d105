import { redirect } from "next/navigation";
import { address, param, requirePerson, type Search } from "@/app/_guard";

/** The first of the settings' pages. */
export default async function SettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const search = await searchParams;
  await requirePerson({ here: "/portal/settings", search });
  redirect(address("/portal/settings/invitations", { client_id: param(search, "client_id") }));
}
