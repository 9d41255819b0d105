-- Everybody knew the password of the demo's login, which is an operator. It comes from the installation's secret now and is
-- not kept here: what was kept opens nothing any more, and who signed in with it is signed out.
update users set password_hash = '', session_version = session_version + 1 where demo;
