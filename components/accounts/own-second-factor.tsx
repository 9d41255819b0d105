"use client";

import { useMutation } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useState } from "react";
import { useWords } from "#words";
import { PresentPassword } from "@/components/accounts/password-field";
import { QrCode } from "@/components/accounts/qr-code";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyText } from "@/components/ui/copy-text";
import { Dialog } from "@/components/ui/dialog";
import { FormEnd } from "@/components/ui/form-end";
import { TextField } from "@/components/ui/text-field";
import { useToast } from "@/components/ui/toast";
import type {
  beginSecondFactorContract,
  confirmSecondFactorContract,
  removeSecondFactorContract,
} from "@/lib/accounts/contract";
import { call, issueOf, messageOf } from "@/lib/platform/http/client";

type Step =
  | { at: "password" | "remove" }
  | { at: "app"; secret: string; uri: string }
  | { at: "codes"; codes: string[] };

const titles = {
  password: "Set up a second factor",
  app: "Set up a second factor",
  codes: "Keep these codes",
  remove: "Switch the second factor off?",
} as const;

/** Sets up an authenticator app in three steps, and takes it away again. */
export function OwnSecondFactor({ on, codesLeft }: { on: boolean; codesLeft: number }) {
  const t = useWords();
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
            {t("On")}
          </Badge>
          <span className="text-sm text-muted">
            {codesLeft === 0
              ? t("No codes for a lost app are left.")
              : t("{n} code for a lost app is left.|{n} codes for a lost app are left.", { n: codesLeft })}{" "}
            {t("For the API, use a key: the password alone opens it no more.")}
          </span>
          <Button size="small" look="bad" onClick={() => setStep({ at: "remove" })}>
            {t("Switch off")}
          </Button>
        </>
      ) : (
        <Button onClick={() => setStep({ at: "password" })}>{t("Set up an app")}</Button>
      )}
      <Dialog open={step !== null} onOpenChange={(open) => !open && close()} title={step ? t(titles[step.at]) : ""}>
        {step?.at === "password" && (
          <PasswordStep
            button={t("Go on")}
            act={async (password) => {
              const { data } = await call<typeof beginSecondFactorContract>(
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
            <p className="text-sm">
              {t(
                "Each lets you in once when the app is lost. They are shown this once: print them, or put them into your password manager.",
              )}
            </p>
            <CopyText text={step.codes.join("\n")} label={t("the codes")} />
            <div className="flex justify-end">
              <Button look="primary" onClick={close}>
                {t("I have them")}
              </Button>
            </div>
          </div>
        )}
        {step?.at === "remove" && (
          <PasswordStep
            button={t("Switch off")}
            bad
            act={async (password) => {
              await call<typeof removeSecondFactorContract>("POST /portal/api/v1/account/second_factor/remove", {
                body: { password },
              });
              toast.show({ id: "second-factor", text: t("The second factor is off.") });
              close();
            }}
            onCancel={close}
          >
            {t("From then on the password alone lets you in.")}
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
  const t = useWords();
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
      <PresentPassword id="factor-password" error={wrong} value={password} onText={setPassword} />
      <FormEnd
        look={bad ? "bad" : "primary"}
        error={go.error && !wrong && t(messageOf(go.error))}
        busy={go.isPending}
        onCancel={onCancel}
      >
        {button}
      </FormEnd>
    </form>
  );
}

function AppStep({ secret, uri, onDone }: { secret: string; uri: string; onDone: (codes: string[]) => void }) {
  const t = useWords();
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
      <p className="text-sm">{t("Scan the picture with an authenticator app, or type the secret into it.")}</p>
      <div className="flex justify-center">
        <QrCode text={uri} label={t("The secret, for an app's camera")} />
      </div>
      <CopyText text={secret} label={t("the secret")} />
      <TextField
        id="factor-code"
        label={t("The code that the app shows")}
        error={wrong && t("That is not the code that the app shows now.")}
        value={code}
        maxLength={20}
        inputMode="numeric"
        autoComplete="one-time-code"
        onText={setCode}
      />
      <FormEnd error={confirm.error && !wrong && t(messageOf(confirm.error))} busy={confirm.isPending}>
        {t("Switch on")}
      </FormEnd>
    </form>
  );
}
