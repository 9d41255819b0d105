import type { Language } from "@/lib/platform/i18n/languages";

/** What a person is told of that was changed of their login. */
export type Notice = "password" | "second_factor_on" | "second_factor_off" | "address";

type NoticeWords = Record<"subject" | "line", string>;
/** `not_you_former`, `not_you_new`: what the address before a change and the new one are told instead of `not_you`. */
type Shared = Record<"login" | "when" | "not_you" | "not_you_former" | "not_you_new" | "button" | "why", string>;

export const noticeWords: Record<Language, Record<Notice, NoticeWords> & { shared: Shared }> = {
  en: {
    password: {
      subject: "Your password was changed",
      line: "The password of your login at {host} was changed. Everywhere else you are signed out.",
    },
    second_factor_on: {
      subject: "Two-step sign-in is on",
      line: "Your login at {host} now asks for a code from your app as well as your password.",
    },
    second_factor_off: {
      subject: "Two-step sign-in is off",
      line: "Your login at {host} no longer asks for a code from your app. The password alone opens it.",
    },
    address: {
      subject: "Your e-mail address was changed",
      line: "Mails about your login at {host} now go to {address}.",
    },
    shared: {
      login: "You sign in as {username}.",
      when: "This was on {moment} (UTC).",
      not_you_former:
        "If it was not you, somebody else has your login. Links for a new password go to the new address, so this one cannot get it back: tell an admin of your shop at once, or whoever runs {host}. They can shut it and invite you anew.",
      not_you_new:
        "If you know nothing of such a login, somebody entered your address by mistake. You need not do anything.",
      not_you: "If it was not you, set a new password now and tell an admin of your shop.",
      button: "Set a new password",
      why: "You get this mail because your address belongs, or belonged, to a login at {host}.",
    },
  },
  de: {
    password: {
      subject: "Ihr Passwort wurde geändert",
      line: "Das Passwort Ihres Zugangs bei {host} wurde geändert. Überall sonst sind Sie abgemeldet.",
    },
    second_factor_on: {
      subject: "Die Anmeldung in zwei Schritten ist eingeschaltet",
      line: "Ihr Zugang bei {host} verlangt jetzt außer dem Passwort einen Code aus Ihrer App.",
    },
    second_factor_off: {
      subject: "Die Anmeldung in zwei Schritten ist ausgeschaltet",
      line: "Ihr Zugang bei {host} verlangt keinen Code aus Ihrer App mehr. Das Passwort allein genügt.",
    },
    address: {
      subject: "Ihre E-Mail-Adresse wurde geändert",
      line: "E-Mails zu Ihrem Zugang bei {host} gehen jetzt an {address}.",
    },
    shared: {
      login: "Ihr Benutzername ist {username}.",
      when: "Das war am {moment} (UTC).",
      not_you_former:
        "Waren Sie es nicht, hat jemand anders Ihren Zugang. Links für ein neues Passwort gehen an die neue Adresse, mit dieser bekommen Sie ihn nicht zurück: Sagen Sie sofort einem Admin Ihres Shops Bescheid oder denen, die {host} betreiben. Dort kann man ihn sperren und Sie neu einladen.",
      not_you_new:
        "Wissen Sie von keinem solchen Zugang, hat jemand Ihre Adresse versehentlich eingetragen. Sie brauchen nichts zu tun.",
      not_you:
        "Waren Sie es nicht, wählen Sie jetzt ein neues Passwort und sagen Sie einem Admin Ihres Shops Bescheid.",
      button: "Neues Passwort wählen",
      why: "Sie erhalten diese E-Mail, weil Ihre Adresse zu einem Zugang bei {host} gehört oder gehörte.",
    },
  },
  fr: {
    password: {
      subject: "Votre mot de passe a été modifié",
      line: "Le mot de passe de votre compte sur {host} a été modifié. Vous êtes déconnecté partout ailleurs.",
    },
    second_factor_on: {
      subject: "La connexion en deux étapes est activée",
      line: "Votre compte sur {host} demande désormais, en plus du mot de passe, un code de votre application.",
    },
    second_factor_off: {
      subject: "La connexion en deux étapes est désactivée",
      line: "Votre compte sur {host} ne demande plus de code de votre application. Le mot de passe suffit.",
    },
    address: {
      subject: "Votre adresse e-mail a été modifiée",
      line: "Les e-mails concernant votre compte sur {host} sont désormais envoyés à {address}.",
    },
    shared: {
      login: "Votre identifiant est {username}.",
      when: "C’était le {moment} (UTC).",
      not_you_former:
        "Si ce n’était pas vous, quelqu’un d’autre a votre compte. Les liens pour un nouveau mot de passe vont à la nouvelle adresse, celle-ci ne permet pas de le récupérer : prévenez tout de suite un administrateur de votre boutique, ou ceux qui exploitent {host}. Ils peuvent bloquer le compte et vous inviter à nouveau.",
      not_you_new:
        "Si vous ne connaissez pas ce compte, quelqu’un a saisi votre adresse par erreur. Vous n’avez rien à faire.",
      not_you:
        "Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe et prévenez un administrateur de votre boutique.",
      button: "Choisir un nouveau mot de passe",
      why: "Vous recevez cet e-mail parce que votre adresse appartient, ou appartenait, à un compte sur {host}.",
    },
  },
  es: {
    password: {
      subject: "Se ha cambiado tu contraseña",
      line: "Se ha cambiado la contraseña de tu cuenta en {host}. En los demás dispositivos se ha cerrado la sesión.",
    },
    second_factor_on: {
      subject: "El inicio de sesión en dos pasos está activado",
      line: "Tu cuenta en {host} pide ahora, además de la contraseña, un código de tu aplicación.",
    },
    second_factor_off: {
      subject: "El inicio de sesión en dos pasos está desactivado",
      line: "Tu cuenta en {host} ya no pide un código de tu aplicación. Basta la contraseña.",
    },
    address: {
      subject: "Se ha cambiado tu dirección de correo",
      line: "Los correos sobre tu cuenta en {host} se envían ahora a {address}.",
    },
    shared: {
      login: "Tu nombre de usuario es {username}.",
      when: "Fue el {moment} (UTC).",
      not_you_former:
        "Si no has sido tú, otra persona tiene tu cuenta. Los enlaces para una contraseña nueva van a la dirección nueva, así que desde esta no puedes recuperarla: avisa enseguida a un administrador de tu tienda o a quien gestiona {host}. Pueden bloquear la cuenta e invitarte de nuevo.",
      not_you_new:
        "Si no sabes nada de esa cuenta, alguien ha escrito tu dirección por error. No tienes que hacer nada.",
      not_you: "Si no has sido tú, elige ya una contraseña nueva y avisa a un administrador de tu tienda.",
      button: "Elegir contraseña nueva",
      why: "Recibes este correo porque tu dirección pertenece, o pertenecía, a una cuenta en {host}.",
    },
  },
  sv: {
    password: {
      subject: "Ditt lösenord har ändrats",
      line: "Lösenordet till ditt konto på {host} har ändrats. Du är utloggad överallt annars.",
    },
    second_factor_on: {
      subject: "Inloggning i två steg är på",
      line: "Ditt konto på {host} ber nu om en kod från din app utöver lösenordet.",
    },
    second_factor_off: {
      subject: "Inloggning i två steg är av",
      line: "Ditt konto på {host} ber inte längre om en kod från din app. Lösenordet räcker.",
    },
    address: {
      subject: "Din e-postadress har ändrats",
      line: "Mejl om ditt konto på {host} går nu till {address}.",
    },
    shared: {
      login: "Ditt användarnamn är {username}.",
      when: "Det var {moment} (UTC).",
      not_you_former:
        "Om det inte var du har någon annan ditt konto. Länkar till ett nytt lösenord går till den nya adressen, så med den här får du inte tillbaka det: säg genast till en administratör för din butik, eller den som driver {host}. De kan stänga kontot och bjuda in dig på nytt.",
      not_you_new:
        "Om du inte känner till kontot har någon skrivit in din adress av misstag. Du behöver inte göra något.",
      not_you: "Om det inte var du: välj ett nytt lösenord nu och säg till en administratör för din butik.",
      button: "Välj nytt lösenord",
      why: "Du får det här mejlet för att din adress hör, eller hörde, till ett konto på {host}.",
    },
  },
};
