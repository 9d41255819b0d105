"use client";

import { useMutation } from "@tanstack/react-query";
import { Printer, ShieldCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslations } from "#messages";
import { CurrentPassword } from "@/components/accounts/password-field";
import { QrCode } from "@/components/accounts/qr-code";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyText } from "@/components/ui/copy-text";
import { Dialog } from "@/components/ui/dialog";
import { FormActions } from "@/components/ui/form-actions";
import { TextField } from "@/components/ui/text-field";
import { useToast } from "@/components/ui/toast";
import type {
  confirmSecondFactorContract,
  removeSecondFactorContract,
  startSecondFactorContract,
} from "@/lib/accounts/contract";
import { call, issueOf, messageOf } from "@/lib/platform/http/client";

type Step =
  | { at: "password" | "remove" }
  | { at: "app"; secret: string; uri: string }
  | { at: "codes"; codes: string[] };

const titles = {
  password: "myAccount.twoFactorSetUp",
  app: "myAccount.twoFactorSetUp",
  codes: "myAccount.saveCodesTitle",
  remove: "myAccount.twoFactorOffTitle",
} as const;

type Props = { username: string; on: boolean; codesLeft: number };

/** Sets up an authenticator app in three steps, and turns it off. */
export function OwnSecondFactor({ username, on, codesLeft }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const [step, setStep] = useState<Step | null>(null);
  const close = () => {
    setStep(null);
    router.refresh();
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      {on ? (
        <>
          <Badge tone="good" icon={<ShieldCheck aria-hidden="true" className="size-3.5" />}>
            {t("common.on")}
          </Badge>
          <span className="text-sm text-muted">
            {codesLeft === 0 ? t("myAccount.noCodesLeft") : t("myAccount.codesLeft", { n: codesLeft })}{" "}
            {t("myAccount.apiKeyHint")}
          </span>
          <Button size="small" variant="bad" onClick={() => setStep({ at: "remove" })}>
            {t("myAccount.turnOff")}
          </Button>
        </>
      ) : (
        <Button onClick={() => setStep({ at: "password" })}>{t("myAccount.setUpApp")}</Button>
      )}
      <Dialog open={step !== null} onOpenChange={(open) => !open && close()} title={step ? t(titles[step.at]) : ""}>
        {step?.at === "password" && (
          <PasswordStep
            button={t("myAccount.continue")}
            act={async (password) => {
              const { data } = await call<typeof startSecondFactorContract>(
                "POST /portal/api/v1/account/second_factor",
                { body: { password } },
              );
              setStep({ at: "app", ...data });
            }}
            onCancel={close}
          />
        )}
        {step?.at === "app" && <AppStep {...step} onDone={(codes) => setStep({ at: "codes", codes })} />}
        {step?.at === "codes" && (
          <div className="flex flex-col gap-4">
            <p className="text-sm">{t("myAccount.codesHint")}</p>
            {/* Paper shows only this part. */}
            <div data-print="">
              <p className="mb-3 hidden font-semibold print:block">
                {t("myAccount.codesOf", { username, host: location.host })}
              </p>
              <CopyText text={step.codes.join("\n")} label={t("myAccount.codesCopy")} />
            </div>
            <div className="flex justify-end gap-2">
              <Button onClick={() => print()}>
                <Printer aria-hidden="true" className="size-4" />
                {t("common.print")}
              </Button>
              <Button variant="primary" onClick={close}>
                {t("myAccount.codesSaved")}
              </Button>
            </div>
          </div>
        )}
        {step?.at === "remove" && (
          <PasswordStep
            button={t("myAccount.turnOff")}
            bad
            act={async (password) => {
              await call<typeof removeSecondFactorContract>("POST /portal/api/v1/account/second_factor/remove", {
                body: { password },
              });
              toast.show({ id: "second-factor", text: t("myAccount.twoFactorTurnedOff") });
              close();
            }}
            onCancel={close}
          >
            {t("myAccount.twoFactorOffHint")}
          </PasswordStep>
        )}
      </Dialog>
    </div>
  );
}

type PasswordProps = {
  button: string;
  bad?: boolean;
  act: (password: string) => Promise<void>;
  onCancel: () => void;
  children?: ReactNode;
};

function PasswordStep({ button, bad = false, act, onCancel, children }: PasswordProps) {
  const t = useTranslations();
  const [password, setPassword] = useState("");
  const go = useMutation({ mutationFn: () => act(password) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!go.isPending) go.mutate();
  };
  const wrong = issueOf(go.error, "password");
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      {children && <p className="text-sm">{children}</p>}
      <CurrentPassword id="factor-password" error={wrong} value={password} onText={setPassword} />
      <FormActions
        variant={bad ? "bad" : "primary"}
        error={go.error && !wrong && messageOf(go.error, t)}
        busy={go.isPending}
        onCancel={onCancel}
      >
        {button}
      </FormActions>
    </form>
  );
}

function AppStep({ secret, uri, onDone }: { secret: string; uri: string; onDone: (codes: string[]) => void }) {
  const t = useTranslations();
  const [code, setCode] = useState("");
  const confirm = useMutation({
    mutationFn: () =>
      call<typeof confirmSecondFactorContract>("POST /portal/api/v1/account/second_factor/confirm", { body: { code } }),
    onSuccess: ({ data }) => onDone(data.recovery_codes),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!confirm.isPending) confirm.mutate();
  };
  const wrong = issueOf(confirm.error, "code");
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <p className="text-sm">{t("myAccount.scanHint")}</p>
      <div className="flex justify-center">
        <QrCode text={uri} label={t("myAccount.qrCode")} />
      </div>
      <CopyText text={secret} label={t("myAccount.secretCopy")} />
      <p className="text-sm">
        {/* A phone can't scan its own screen. */}
        <a href={uri} className="link">
          {t("myAccount.openApp")}
        </a>
      </p>
      <TextField
        id="factor-code"
        label={t("myAccount.appCode")}
        error={wrong && t("myAccount.errorWrongCode")}
        value={code}
        maxLength={20}
        inputMode="numeric"
        autoComplete="one-time-code"
        onText={setCode}
      />
      <FormActions error={confirm.error && !wrong && messageOf(confirm.error, t)} busy={confirm.isPending}>
        {t("myAccount.turnOn")}
      </FormActions>
    </form>
  );
}
