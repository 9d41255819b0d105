"use client";

import { displayGroups } from "@/components/settings/groups";
import { SettingsForm, type SettingsPageProps } from "@/components/settings/settings-form";
import { WidgetPreview } from "@/components/settings/widget-preview";

type Props = SettingsPageProps & { origin: string; products: { id: string; name: string }[] };

/** The settings of what shops show, with the widget as it is and the lines that put it into a page. */
export function DisplaySettings({ origin, products, ...props }: Props) {
  return (
    <SettingsForm
      {...props}
      groups={displayGroups}
      preview={({ config }) => (
        <WidgetPreview
          clientId={props.clientId}
          version={props.version}
          origin={origin}
          products={products}
          accent={config.accent_color}
        />
      )}
    />
  );
}
