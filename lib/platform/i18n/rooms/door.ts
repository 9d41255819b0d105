import type { Room } from "@/lib/platform/i18n/rooms";

/** The pages in front of the portal. */
export const door: Room = {
  "Sign in": ["Anmelden", "Se connecter", "Iniciar sesión", "Logga in"],
  "Signing in…": ["Anmeldung läuft …", "Connexion …", "Iniciando sesión …", "Loggar in …"],
  Code: ["Code", "Code", "Código", "Kod"],
  "The six digits that your authenticator app shows, or one of the codes you kept for a lost app.": [
    "Die sechs Ziffern aus Ihrer Authenticator-App oder einer der Codes, die Sie für den Notfall aufbewahren.",
    "Les six chiffres de votre application d’authentification, ou l’un des codes que vous gardez en cas de perte.",
    "Las seis cifras de su aplicación de autenticación, o uno de los códigos que guardó por si la pierde.",
    "De sex siffrorna i din autentiseringsapp, eller en av koderna du sparat om appen går förlorad.",
  ],
  "No access? An admin of your shop can invite you. {link}": [
    "Kein Zugang? Ein Administrator Ihres Shops kann Sie einladen. {link}",
    "Pas d’accès ? Un administrateur de votre boutique peut vous inviter. {link}",
    "¿No tiene acceso? Un administrador de su tienda puede invitarle. {link}",
    "Saknar du åtkomst? En administratör för butiken kan bjuda in dig. {link}",
  ],
  "Your password is set. Sign in with it.": [
    "Ihr Passwort ist festgelegt. Melden Sie sich damit an.",
    "Votre mot de passe est défini. Connectez-vous avec celui-ci.",
    "Su contraseña está guardada. Inicie sesión con ella.",
    "Ditt lösenord är sparat. Logga in med det.",
  ],
  "Enter your user name and your password.": [
    "Geben Sie Benutzername und Passwort ein.",
    "Saisissez votre nom d’utilisateur et votre mot de passe.",
    "Introduzca su nombre de usuario y su contraseña.",
    "Ange användarnamn och lösenord.",
  ],
  "The user name or the password is not right.": [
    "Benutzername oder Passwort ist falsch.",
    "Le nom d’utilisateur ou le mot de passe est incorrect.",
    "El nombre de usuario o la contraseña no son correctos.",
    "Användarnamnet eller lösenordet är fel.",
  ],
  "That code is not right, or you took too long. Take the next one.": [
    "Der Code ist falsch oder abgelaufen. Nehmen Sie den nächsten.",
    "Ce code est incorrect ou a expiré. Prenez le suivant.",
    "El código no es correcto o ha caducado. Use el siguiente.",
    "Koden är fel eller för gammal. Ta nästa.",
  ],
  "Forgot your password": ["Passwort vergessen", "Mot de passe oublié", "Contraseña olvidada", "Glömt lösenordet"],
  "Forgot your password?": [
    "Passwort vergessen?",
    "Mot de passe oublié ?",
    "¿Ha olvidado su contraseña?",
    "Glömt lösenordet?",
  ],
  "Back to sign-in": [
    "Zurück zur Anmeldung",
    "Retour à la connexion",
    "Volver al inicio de sesión",
    "Till inloggningen",
  ],
  "To sign-in": ["Zur Anmeldung", "Vers la connexion", "Al inicio de sesión", "Till inloggningen"],
  "User name or e-mail address": [
    "Benutzername oder E-Mail-Adresse",
    "Nom d’utilisateur ou adresse e-mail",
    "Nombre de usuario o correo electrónico",
    "Användarnamn eller e-postadress",
  ],
  "Enter your user name or your e-mail address.": [
    "Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein.",
    "Saisissez votre nom d’utilisateur ou votre adresse e-mail.",
    "Introduzca su nombre de usuario o su correo electrónico.",
    "Ange användarnamn eller e-postadress.",
  ],
  "Mail me a link": ["Link zusenden", "M’envoyer un lien", "Enviarme un enlace", "Skicka en länk"],
  "Mail me a new link": [
    "Neuen Link zusenden",
    "M’envoyer un nouveau lien",
    "Enviarme un enlace nuevo",
    "Skicka en ny länk",
  ],
  "If we know you and your address, a mail with a link is on its way. The link works for an hour. If none comes, an admin of your shop can help.":
    [
      "Wenn wir Sie und Ihre Adresse kennen, ist eine E-Mail mit einem Link unterwegs. Er gilt eine Stunde. Kommt keine, hilft ein Administrator Ihres Shops.",
      "Si nous vous connaissons, vous et votre adresse, un e-mail avec un lien est en route. Le lien est valable une heure. Si rien n’arrive, un administrateur de votre boutique peut vous aider.",
      "Si le conocemos y tenemos su dirección, le llegará un correo con un enlace, válido durante una hora. Si no llega, un administrador de su tienda puede ayudarle.",
      "Om vi känner till dig och din adress är ett mejl med en länk på väg. Länken gäller i en timme. Kommer inget kan en administratör för butiken hjälpa dig.",
    ],
  "Set a password": ["Passwort festlegen", "Définir un mot de passe", "Elegir una contraseña", "Välj ett lösenord"],
  "Set a new password": [
    "Neues Passwort festlegen",
    "Définir un nouveau mot de passe",
    "Elegir una contraseña nueva",
    "Välj ett nytt lösenord",
  ],
  "Welcome. Set your password": [
    "Willkommen. Legen Sie Ihr Passwort fest",
    "Bienvenue. Définissez votre mot de passe",
    "Le damos la bienvenida. Elija su contraseña",
    "Välkommen. Välj ditt lösenord",
  ],
  "This link was used already, or it has run out. Ask for a new one.": [
    "Dieser Link wurde schon benutzt oder ist abgelaufen. Fordern Sie einen neuen an.",
    "Ce lien a déjà servi ou a expiré. Demandez-en un nouveau.",
    "Este enlace ya se usó o ha caducado. Pida uno nuevo.",
    "Länken har redan använts eller har gått ut. Be om en ny.",
  ],
  "Once more": ["Noch einmal", "Encore une fois", "Otra vez", "En gång till"],
  "Setting …": ["Wird festgelegt …", "Enregistrement …", "Guardando …", "Sparar …"],
  "Set the password": ["Passwort festlegen", "Définir le mot de passe", "Guardar la contraseña", "Spara lösenordet"],
  "The two are not the same.": [
    "Die beiden stimmen nicht überein.",
    "Les deux ne sont pas identiques.",
    "Las dos no coinciden.",
    "De två är inte lika.",
  ],
};
