"use client";

import { type Group, SettingsForm, type SettingsPageProps } from "@/components/settings/settings-form";
import { WidgetPreview } from "@/components/settings/widget-preview";
import { widgetOriginOf } from "@/lib/accounts/stores/rules";

type Props = SettingsPageProps & {
  groups: Group[];
  origin: string;
  products: { id: string; name: string }[];
};

/** The display settings, with a preview of the widget and the snippet to embed it. */
export function DisplaySettings({ origin, products, ...props }: Props) {
  return (
    <SettingsForm
      {...props}
      preview={({ config }) => (
        <WidgetPreview
          clientId={props.clientId}
          version={props.version}
          origin={origin}
          snippetOrigin={widgetOriginOf(config, origin)}
          products={products}
          accent={config.accent_color}
        />
      )}
    />
  );
}
