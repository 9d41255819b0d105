"use client";

import { type Group, SettingsForm, type SettingsPageProps } from "@/components/settings/settings-form";
import { WidgetPreview } from "@/components/settings/widget-preview";

type Props = SettingsPageProps & {
  groups: Group[];
  origin: string;
  products: { id: string; name: string }[];
};

/** The settings of what shops show, with the widget as it is and the lines that put it into a page. */
export function DisplaySettings({ origin, products, ...props }: Props) {
  return (
    <SettingsForm
      {...props}
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
