"use client";

import { templateGroups } from "@/components/settings/groups";
import { MailPreviewCard } from "@/components/settings/mail-preview";
import { SettingsForm, type SettingsPageProps } from "@/components/settings/settings-form";

type Props = SettingsPageProps & { ours: { html: string; text: string }; email: string };

/** The mail's templates, with the mail as it would be beneath them, saved or not. */
export function TemplateSettings({ ours, email, ...props }: Props) {
  return (
    <SettingsForm
      {...props}
      groups={templateGroups(ours)}
      preview={({ config }) => (
        <MailPreviewCard clientId={props.clientId} config={config} maySend={props.mayChange} email={email} />
      )}
    />
  );
}
