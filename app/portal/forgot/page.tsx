import type { Metadata } from "next";
import Link from "next/link";
import { forgotAction } from "@/app/portal/forgot/_actions";
import { Door } from "@/components/portal/door";
import { ForgotForm } from "@/components/portal/forgot-form";

export const metadata: Metadata = { title: "Forgot your password" };

export default function ForgotPage() {
  return (
    <Door
      title="Forgot your password?"
      below={
        <Link href="/portal/sign-in" className="link">
          Back to sign-in
        </Link>
      }
    >
      <ForgotForm action={forgotAction} />
    </Door>
  );
}
