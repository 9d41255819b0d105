"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { faultWords } from "@/components/accounts/words";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useToast } from "@/components/ui/toast";
import { changePasswordContract } from "@/lib/accounts/contract";
import { PASSWORD } from "@/lib/accounts/schema";
import { call, faultOf, messageOf } from "@/lib/http/client";

/** A new password for the old one. Every other browser is signed out. */
export function OwnPassword({ username }: { username: string }) {
  const router = useRouter();
  const toast = useToast();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const save = useMutation({
    mutationFn: () => call(changePasswordContract, { body: { current, password } }),
    onSuccess: () => {
      setCurrent("");
      setPassword("");
      toast.show({ id: "password", text: "Your password is changed. Every other browser is signed out." });
      router.refresh();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const known = faultOf(save.error, "current") ?? faultOf(save.error, "password");
  return (
    <form onSubmit={submit} noValidate className="flex max-w-md flex-col gap-5">
      <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
      <Field
        id="own-current"
        label="Present password"
        error={faultOf(save.error, "current") && "That is not your present password."}
      >
        {(wiring) => (
          <Input
            {...wiring}
            type="password"
            value={current}
            maxLength={PASSWORD.most}
            autoComplete="current-password"
            onChange={(event) => setCurrent(event.target.value)}
          />
        )}
      </Field>
      <Field
        id="own-new"
        label="New password"
        hint={`At least ${PASSWORD.least} characters. A sentence is best.`}
        error={faultWords(save.error, "password")}
      >
        {(wiring) => (
          <Input
            {...wiring}
            type="password"
            value={password}
            maxLength={PASSWORD.most}
            autoComplete="new-password"
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      {save.error && !known && (
        <Notice tone="bad" alert>
          {messageOf(save.error)}
        </Notice>
      )}
      <div>
        <Button type="submit" aria-disabled={save.isPending}>
          {save.isPending ? "Changing …" : "Change the password"}
        </Button>
      </div>
    </form>
  );
}
