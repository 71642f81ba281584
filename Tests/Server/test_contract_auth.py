"""Checks sign-in, the public key, and functions against the wire contract, as clients of any language see them."""

import hashlib
import re
import time
import uuid

import httpx
import jwt
import pytest

from wire_client import (
    DEVELOPMENT, KEY, PASSWORD, Somebody, auth, by_password, by_phone, call, challenge_of, claims_of, flat, fresh_email,
    fresh_phone, fresh_verifier, message, messages, opened, refused, site)

RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$")


def check_user(user):
    uuid.UUID(user["id"])
    assert user["id"] == user["id"].lower()
    assert user["aud"] == user["role"] == "authenticated"
    assert isinstance(user["email"], str) and isinstance(user["phone"], str) and not user["phone"].startswith("+")
    assert isinstance(user["user_metadata"], dict) and user["is_anonymous"] is False
    assert user["app_metadata"]["provider"] in user["app_metadata"]["providers"]
    for name in ("created_at", "updated_at"):
        assert RFC3339.match(user[name]), user[name]
    for name, value in user.items():
        assert value is not None, f"{name}: what is absent is left out"
        if name.endswith("_at"):
            assert RFC3339.match(value), (name, value)
    assert user["identities"]
    for identity in user["identities"]:
        assert identity["user_id"] == user["id"] and identity["id"] and identity["provider"]
        uuid.UUID(identity["identity_id"])
        assert identity["identity_data"]["sub"]
        for name in ("created_at", "updated_at", "last_sign_in_at"):
            assert RFC3339.match(identity[name])


def check_session(session):
    assert session["token_type"] == "bearer" and session["expires_in"] >= 300
    assert type(session["expires_in"]) is int and type(session["expires_at"]) is int
    assert abs(session["expires_at"] - time.time() - session["expires_in"]) < 10
    assert session["refresh_token"] and session["refresh_token"] != session["access_token"]
    claims = claims_of(session["access_token"])
    assert claims["exp"] == session["expires_at"] and claims["exp"] - claims["iat"] == session["expires_in"]
    assert claims["sub"] == session["user"]["id"] and claims["iss"].endswith("/auth/v1")
    assert claims["aud"] == claims["role"] == "authenticated" and claims["aal"] == "aal1"
    assert claims["is_anonymous"] is False and uuid.UUID(claims["session_id"])
    for name in ("email", "phone", "app_metadata", "user_metadata"):
        assert claims[name] == session["user"][name]
    assert claims["amr"] and all(
        each["method"] in ("otp", "password", "oauth", "token_refresh") and type(each["timestamp"]) is int
        for each in claims["amr"])
    check_user(session["user"])


# ---------------------------------------------------------------------------------------------------- keys and transport


@pytest.mark.parametrize("path", ["/rest/v1/profiles", "/auth/v1/user", "/functions/v1/send-email"])
@pytest.mark.parametrize("key", [None, "sb_publishable_other", ""])
def test_without_the_public_key_nothing_answers(path, key):
    answer = call("GET", path, headers={"apikey": key})
    assert answer.status_code == 401 and answer.json()["message"]


@pytest.mark.parametrize("name", ["apiKey", "Apikey", "APIKEY"])
def test_the_key_header_may_be_in_any_case(name):
    assert call("GET", "/rest/v1/profiles", headers={"apikey": None, name: KEY}).json() == []


def test_the_public_key_as_bearer_is_nobody():
    assert call("GET", "/rest/v1/habits").json() == []
    refused(auth("/user", method="GET"), 401, "no_authorization")


@pytest.mark.parametrize("path", ["/authorize?provider=google&redirect_to=motiv://x", "/callback?state=a&code=b",
                                  "/verify?token=a&type=magiclink", "/.well-known/jwks.json"])
def test_what_a_browser_opens_needs_no_key(path):
    answer = httpx.get(site() + "/auth/v1" + path, follow_redirects=False)
    assert answer.status_code in (200, 302, 303), answer.text


def test_duplicate_prefer_lines_and_a_long_target_are_taken():
    somebody = Somebody()
    ids = ",".join(str(uuid.uuid4()) for _ in range(400))
    answer = httpx.get(
        f"{site()}/rest/v1/habits?id=in.({ids})",
        headers=[("apikey", KEY), ("authorization", f"Bearer {somebody.token}"), ("prefer", "count=exact"),
                 ("prefer", "handling=lenient")])
    assert answer.status_code == 200 and answer.headers["content-range"] == "*/0"


# ---------------------------------------------------------------------------------------------------- codes by phone


def test_a_phone_session_is_whole():
    phone = fresh_phone()
    session = by_phone(phone, data={"display_name": "Maja"})
    check_session(session)
    user = session["user"]
    assert user["phone"] == phone[1:] and user["email"] == "" and user["user_metadata"]["display_name"] == "Maja"
    assert user["phone_confirmed_at"] and user["confirmed_at"] and user["last_sign_in_at"]
    assert "email_confirmed_at" not in user
    assert user["app_metadata"] == {"provider": "phone", "providers": ["phone"]}
    assert [each["identity_data"]["phone"] for each in user["identities"]] == [phone[1:]]
    assert claims_of(session["access_token"])["amr"][0]["method"] == "otp"


@pytest.mark.parametrize("body", [
    {"create_user": True, "channel": "sms", "data": None, "gotrue_meta_security": {"captcha_token": None}},
    {"create_user": True, "channel": "whatsapp", "options": {"x": 1}, "unknown": [1]}, {}])
def test_asking_for_a_code_answers_an_object(body):
    answer = auth("/otp", {"phone": fresh_phone(), **body})
    assert answer.status_code == 200 and isinstance(answer.json(), dict)
    assert answer.headers["content-type"].startswith("application/json")


def test_a_profile_is_made_with_the_name_or_with_one_made_of_the_id():
    named, unnamed = Somebody(session=by_phone(data={"display_name": "Maja"})), Somebody()
    assert named.rest("GET", "profiles?select=display_name").json() == [{"display_name": "Maja"}]
    assert unnamed.rest("GET", "profiles?select=display_name").json() == [{"display_name": f"Bee {unnamed.id[:6]}"}]


@pytest.mark.parametrize("written", ["+1555", "1555"])
def test_a_phone_is_one_persons_however_it_is_written(written):
    phone = fresh_phone()
    assert by_phone(phone)["user"]["id"] == by_phone(written + phone[5:])["user"]["id"]


def test_a_code_is_gone_after_its_use_and_after_a_newer_one():
    phone = fresh_phone()
    auth("/otp", {"phone": phone})
    former = message(phone)["code"]
    auth("/otp", {"phone": phone})
    newer = message(phone)["code"]
    assert re.fullmatch(r"\d{6}", newer)
    if former != newer:
        refused(auth("/verify", {"type": "sms", "phone": phone, "token": former}), 403, "otp_expired")
    assert auth("/verify", {"type": "sms", "phone": phone, "token": newer}).status_code == 200
    refused(auth("/verify", {"type": "sms", "phone": phone, "token": newer}), 403, "otp_expired")


def test_guesses_at_a_code_are_limited():
    phone = fresh_phone()
    auth("/otp", {"phone": phone})
    code = message(phone)["code"]
    for guess in range(12):
        answer = auth("/verify", {"type": "sms", "phone": phone, "token": f"{(int(code) + 1 + guess) % 1000000:06}"})
        assert answer.status_code in (403, 429)
    answer = auth("/verify", {"type": "sms", "phone": phone, "token": code})
    assert answer.status_code in (403, 429), "the right code after many wrong ones"


def test_a_code_is_only_of_its_own_phone():
    mine, theirs = fresh_phone(), fresh_phone()
    auth("/otp", {"phone": mine})
    auth("/otp", {"phone": theirs})
    code = message(mine)["code"]
    if code != message(theirs)["code"]:
        refused(auth("/verify", {"type": "sms", "phone": theirs, "token": code}), 403, "otp_expired")


@pytest.mark.parametrize("body", [
    {}, {"phone": ""}, {"phone": "12"}, {"phone": "+1555abc"}, {"phone": 15551234567}, {"email": "nobody"},
    {"email": "a@b@c"}, {"email": ""}, {"email": None, "phone": None}])
def test_a_malformed_address_is_refused(body):
    refused(auth("/otp", body), 400, "validation_failed")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"phone=1", b'"text"'])
@pytest.mark.parametrize("path", ["/otp", "/verify", "/signup", "/token?grant_type=password", "/recover", "/resend"])
def test_what_is_no_json_object_is_refused(path, content):
    refused(auth(path, content=content, headers={"Content-Type": "application/json"}), 400, "bad_json")


def test_nobody_is_made_where_none_is_wanted():
    for address in ({"phone": fresh_phone()}, {"email": fresh_email()}):
        refused(auth("/otp", {**address, "create_user": False}), 422, "otp_disabled")
    phone = fresh_phone()
    by_phone(phone)
    assert auth("/otp", {"phone": phone, "create_user": False}).status_code == 200


@pytest.mark.parametrize("body", [
    {}, {"type": "sms", "phone": "+15552345678"}, {"type": "other", "phone": "+15552345678", "token": "123456"},
    {"type": "sms", "token": "123456"}, {"type": "email", "email": "no", "token": "123456"},
    {"phone": "+15552345678", "token": "123456"}])
def test_a_verification_that_lacks_something_is_refused(body):
    refused(auth("/verify", body), 400, "validation_failed")


# ---------------------------------------------------------------------------------------------------- codes and links by mail


@pytest.mark.parametrize("type", ["email", "magiclink", "signup"])
@pytest.mark.parametrize("known", [False, True])
def test_a_mailed_code_signs_in_under_every_type(type, known):
    email = fresh_email()
    for _ in range(2 if known else 1):
        assert auth("/otp", {"email": email}).json() == {}
        answer = auth("/verify", {"type": type, "email": email.upper(), "token": message(email)["code"]})
        assert answer.status_code == 200, answer.text
    check_session(answer.json())
    user = answer.json()["user"]
    assert user["email"] == email and user["email_confirmed_at"] and user["phone"] == ""
    assert user["app_metadata"]["providers"] == ["email"]


def test_the_typed_code_signs_in_though_a_challenge_was_sent():
    email = fresh_email()
    auth("/otp", {"email": email, "code_challenge": challenge_of(fresh_verifier()), "code_challenge_method": "s256"})
    answer = auth("/verify", {"type": "email", "email": email, "token": message(email)["code"]})
    check_session(answer.json())


@pytest.mark.parametrize("type", ["email", "magiclink", "signup"])
def test_the_hash_of_a_link_signs_in_once(type):
    email = fresh_email()
    auth("/otp", {"email": email})
    body = {"type": type, "token_hash": message(email)["token_hash"]}
    refused(auth("/verify", {**body, "token": message(email)["code"], "email": email}), 400, "validation_failed")
    check_session(auth("/verify", body).json())
    refused(auth("/verify", body), 403, "otp_expired")


def mailed_link(email, redirect="motiv://auth-callback", verifier=None, method="s256"):
    body = {"email": email, "create_user": True, "data": {}}
    body |= {"code_challenge": challenge_of(verifier), "code_challenge_method": method} if verifier else {
        "code_challenge": None, "code_challenge_method": None}
    answer = call("POST", f"/auth/v1/otp?redirect_to={httpx.QueryParams({'r': redirect})['r']}", body, app="MOTIV")
    assert answer.status_code == 200, answer.text
    return message(email)["link"]


@pytest.mark.parametrize("method", ["s256", "S256"])
def test_a_link_with_a_challenge_leads_to_a_code_for_its_client(method):
    email, verifier = fresh_email(), fresh_verifier()
    link = mailed_link(email, verifier=verifier, method=method)
    assert flat(link.split("?")[1])["type"] == "signup"
    answer, target, query, fragment = opened(link)
    assert answer.status_code == 303 and target == "motiv://auth-callback" and set(query) == {"code"} and not fragment
    refused(auth("/token?grant_type=pkce", {"auth_code": str(uuid.uuid4()), "code_verifier": verifier}), 404,
            "flow_state_not_found")
    session = auth("/token?grant_type=pkce", {"auth_code": query["code"], "code_verifier": verifier})
    assert session.status_code == 200
    check_session(session.json())
    again = auth("/token?grant_type=pkce", {"auth_code": query["code"], "code_verifier": verifier})
    refused(again, 404, "flow_state_not_found")
    assert flat(mailed_link(email, verifier=verifier).split("?")[1])["type"] == "magiclink"


def test_a_wrong_verifier_is_refused():
    verifier = fresh_verifier()
    _, _, query, _ = opened(mailed_link(fresh_email(), verifier=verifier))
    for wrong in (fresh_verifier(), "short"):
        answer = auth("/token?grant_type=pkce", {"auth_code": query["code"], "code_verifier": wrong})
        assert answer.json()["code"] in ("bad_code_verifier", "flow_state_not_found")
    refused(auth("/token?grant_type=pkce", {"auth_code": query["code"]}), 400, "validation_failed")


def test_a_link_without_a_challenge_leads_to_the_session():
    answer, target, query, fragment = opened(mailed_link(fresh_email()))
    assert answer.status_code == 303 and target == "motiv://auth-callback" and not query
    assert fragment["token_type"] == "bearer" and fragment["type"] in ("magiclink", "signup")
    assert int(fragment["expires_at"]) - time.time() - int(fragment["expires_in"]) < 10
    assert auth("/user", token=fragment["access_token"], method="GET").status_code == 200
    again = auth("/token?grant_type=refresh_token", {"refresh_token": fragment["refresh_token"]})
    assert again.status_code == 200


def test_a_link_that_was_used_says_so_in_the_query_and_behind_it():
    link = mailed_link(fresh_email(), verifier=fresh_verifier())
    opened(link)
    answer, target, query, fragment = opened(link)
    assert answer.status_code == 303 and target == "motiv://auth-callback"
    assert query["error"] == "access_denied" and query["error_code"] == "otp_expired" and query["error_description"]
    assert fragment == query


def test_a_typed_code_voids_its_link():
    email = fresh_email()
    link = mailed_link(email, verifier=fresh_verifier())
    assert auth("/verify", {"type": "email", "email": email, "token": message(email)["code"]}).status_code == 200
    assert opened(link)[2]["error_code"] == "otp_expired"


@pytest.mark.parametrize("redirect", [
    "evil://auth-callback", "https://evil.example.com/", "javascript:alert(1)", "//evil.example.com", "motiv.evil://x"])
def test_browsers_are_sent_only_where_the_list_allows(redirect):
    _, target, query, _ = opened(mailed_link(fresh_email(), redirect, fresh_verifier()))
    assert target.startswith("http://127.0.0.1") and "evil" not in target and query["code"]


@pytest.mark.parametrize("redirect", [
    "motiv://auth-callback", "digit://reset", "com.rubentena.DailyManna://auth-callback", "motiv://a/b?next=%2Fhome"])
def test_the_apps_own_schemes_are_allowed(redirect):
    email = fresh_email()
    auth("/otp?" + str(httpx.QueryParams({"redirect_to": redirect})), {
        "email": email, "code_challenge": challenge_of(fresh_verifier()), "code_challenge_method": "s256"})
    answer, target, query, _ = opened(message(email)["link"])
    assert answer.headers["location"].startswith(redirect) and query["code"]
    assert query.get("next") == ("/home" if "next" in redirect else None)


# ---------------------------------------------------------------------------------------------------- passwords


def test_who_signs_up_is_somebody_once_the_address_is_proven():
    email = fresh_email()
    answer = auth("/signup", {"email": email, "password": PASSWORD, "data": {"display_name": "Pat", "n": {"a": [1]}}})
    assert answer.status_code == 200
    said = answer.json()
    if "access_token" not in said:
        assert uuid.UUID(said["id"]) and said["email"] == email and said["aud"] == "authenticated"
        assert said["created_at"] and said["user_metadata"] == {"display_name": "Pat", "n": {"a": [1]}}
        refused(auth("/token?grant_type=password", {"email": email, "password": PASSWORD}), 400, "email_not_confirmed")
        wrong = auth("/token?grant_type=password", {"email": email, "password": PASSWORD + "x"})
        refused(wrong, 400, "invalid_credentials")
        said = auth("/verify", {"type": "signup", "email": email, "token": message(email)["code"]}).json()
    check_session(said)
    assert said["user"]["user_metadata"]["n"] == {"a": [1]}
    signed = auth("/token?grant_type=password", {"email": email.upper(), "password": PASSWORD})
    check_session(signed.json())
    assert claims_of(signed.json()["access_token"])["amr"][0]["method"] == "password"


def test_a_sign_up_link_leads_back_to_the_app():
    email, verifier = fresh_email(), fresh_verifier()
    answer = auth("/signup?redirect_to=digit%3A%2F%2Fwelcome", {
        "email": email, "password": PASSWORD, "code_challenge": challenge_of(verifier), "code_challenge_method": "s256"})
    if "access_token" in answer.json():
        pytest.skip("addresses are not proven here")
    _, target, query, _ = opened(message(email, "signup")["link"])
    assert target == "digit://welcome"
    check_session(auth("/token?grant_type=pkce", {"auth_code": query["code"], "code_verifier": verifier}).json())


def test_a_phone_may_have_a_password():
    phone = fresh_phone()
    said = auth("/signup", {"phone": phone, "password": PASSWORD}).json()
    if "access_token" not in said:
        refused(auth("/token?grant_type=password", {"phone": phone, "password": PASSWORD}), 400, "phone_not_confirmed")
        said = auth("/verify", {"type": "sms", "phone": phone, "token": message(phone)["code"]}).json()
    check_session(said)
    check_session(auth("/token?grant_type=password", {"phone": phone, "password": PASSWORD}).json())


def test_wrong_passwords_and_unknown_people_are_told_apart_by_nothing():
    email = by_password()["user"]["email"]
    answers = [auth("/token?grant_type=password", {"email": each, "password": "Wrong-Horse-9"})
               for each in (email, fresh_email())]
    assert answers[0].json() == answers[1].json()
    refused(answers[0], 400, "invalid_credentials")


@pytest.mark.parametrize("body", [
    {"email": "x", "password": PASSWORD}, {"email": "a@example.com"},
    {"email": "a@example.com", "phone": "+15552345678", "password": PASSWORD}])
@pytest.mark.parametrize("path", ["/signup", "/token?grant_type=password"])
def test_a_password_request_that_lacks_something_is_refused(path, body):
    refused(auth(path, body), 400, "validation_failed")


@pytest.mark.parametrize("grant", ["", "?grant_type=", "?grant_type=magic"])
def test_an_unknown_grant_is_refused(grant):
    refused(auth("/token" + grant, {"email": "a@example.com"}), 400, "validation_failed")


def test_a_weak_password_tells_why():
    for answer in (auth("/signup", {"email": fresh_email(), "password": "abc"}),
                   auth("/user", {"password": "abc"}, by_phone()["access_token"], "PUT")):
        said = refused(answer, 422, "weak_password")
        assert said["weak_password"]["reasons"] == ["length"]


def test_somebody_who_is_here_signs_up_again_without_effect():
    session = by_password()
    email = session["user"]["email"]
    count = len(messages(email))
    answer = auth("/signup", {"email": email, "password": "Another-Horse-9"})
    if answer.status_code == 200:
        assert answer.json()["identities"] == [] and "access_token" not in answer.json()
        assert len(messages(email)) == count
    else:
        refused(answer, 422, "user_already_exists")
    assert auth("/token?grant_type=password", {"email": email, "password": PASSWORD}).status_code == 200


@pytest.mark.parametrize("body", [
    {}, {"password": PASSWORD}, {"data": {"name": "Nobody"}}, {"email": "", "phone": None, "password": PASSWORD}])
def test_nobody_signs_up_or_in_without_an_address(body):
    refused(auth("/signup", body), 422, "anonymous_provider_disabled")
    refused(auth("/token?grant_type=password", body), 400, "validation_failed")


def test_a_sign_up_may_be_sent_twice():
    email = fresh_email()
    body = {"email": email, "password": PASSWORD}
    assert [auth("/signup", body).status_code for _ in range(2)] == [200, 200]
    assert auth("/verify", {"type": "signup", "email": email, "token": message(email)["code"]}).status_code == 200


@pytest.mark.parametrize("by_link", [False, True])
def test_a_lost_password_is_replaced(by_link):
    former = by_password()
    email, verifier = former["user"]["email"], fresh_verifier()
    answer = auth("/recover?redirect_to=digit%3A%2F%2Freset", {
        "email": email, "code_challenge": challenge_of(verifier), "code_challenge_method": "s256"})
    assert answer.status_code == 200 and answer.json() == {}
    sent = message(email, "recovery")
    if by_link:
        assert flat(sent["link"].split("?")[1])["type"] == "recovery"
        _, target, query, _ = opened(sent["link"])
        assert target == "digit://reset"
        session = auth("/token?grant_type=pkce", {"auth_code": query["code"], "code_verifier": verifier}).json()
    else:
        session = auth("/verify", {"type": "recovery", "email": email, "token": sent["code"]}).json()
    check_session(session)
    assert session["user"]["id"] == former["user"]["id"]
    same = auth("/user", {"password": PASSWORD}, session["access_token"], "PUT")
    refused(same, 422, "same_password")
    changed = auth("/user", {"password": "Another-Horse-9"}, session["access_token"], "PUT")
    assert changed.status_code == 200
    check_user(changed.json())
    refused(auth("/token?grant_type=password", {"email": email, "password": PASSWORD}), 400, "invalid_credentials")
    assert auth("/token?grant_type=password", {"email": email, "password": "Another-Horse-9"}).status_code == 200


@pytest.mark.parametrize("way, kind", [("otp", "recovery"), ("recover", "magiclink"), ("recover", "email")])
def test_a_code_of_a_mail_is_good_whichever_its_type_is_called(way, kind):
    email = by_password()["user"]["email"]
    assert auth(f"/{way}", {"email": email}).status_code == 200
    sent = message(email, "recovery" if way == "recover" else None)
    session = auth("/verify", {"type": kind, "email": email, "token": sent["code"]}).json()
    check_session(session)
    assert session["user"]["email"] == email


def test_recovery_says_nothing_of_who_is_here():
    email = fresh_email()
    assert auth("/recover", {"email": email}).json() == {} and messages(email) == []
    refused(auth("/recover", {"email": "no"}), 400, "validation_failed")
    refused(auth("/recover", {}), 400, "validation_failed")


def test_a_code_is_sent_again():
    email, phone = fresh_email(), fresh_phone()
    auth("/signup", {"email": email, "password": PASSWORD})
    auth("/otp", {"phone": phone})
    counts = len(messages(email)), len(messages(phone))
    assert auth("/resend", {"type": "sms", "phone": phone}).json().keys() <= {"message_id"}
    assert len(messages(phone)) == counts[1] + 1
    assert auth("/verify", {"type": "sms", "phone": phone, "token": message(phone)["code"]}).status_code == 200
    assert auth("/resend", {"type": "signup", "email": email}).status_code == 200
    if counts[0]:
        assert len(messages(email)) == counts[0] + 1
        again = auth("/verify", {"type": "signup", "email": email, "token": message(email)["code"]})
        assert again.status_code == 200
    assert auth("/resend", {"type": "signup", "email": fresh_email()}).status_code == 200
    for body in ({"email": email}, {"type": "signup"}, {"type": "nothing", "email": email}):
        refused(auth("/resend", body), 400, "validation_failed")


# ---------------------------------------------------------------------------------------------------- providers


def id_token(provider, subject=None, email=None, nonce=None):
    body = {"provider": provider, "sub": subject or str(uuid.uuid4()), "email": email or fresh_email()}
    if nonce:
        body["nonce_sha256"] = hashlib.sha256(nonce.encode()).hexdigest()
    answer = httpx.post(f"{DEVELOPMENT}/dev/id_token", json=body, headers={"apikey": KEY})
    assert answer.status_code == 200, answer.text
    return answer.json()["id_token"]


def by_id_token(provider, token, **more):
    return auth("/token?grant_type=id_token", {"provider": provider, "id_token": token, **more})


@pytest.mark.parametrize("provider", ["apple", "google"])
@pytest.mark.parametrize("nonce", [None, "raw-nonce"])
def test_an_id_token_signs_in(provider, nonce):
    subject, email = str(uuid.uuid4()), fresh_email()
    sessions = []
    for _ in range(2):
        answer = by_id_token(provider, id_token(provider, subject, email, nonce), nonce=nonce, access_token="opaque")
        assert answer.status_code == 200, answer.text
        sessions.append(answer.json())
        check_session(answer.json())
    assert sessions[0]["user"]["id"] == sessions[1]["user"]["id"]
    user = sessions[0]["user"]
    assert user["email"] == email and user["app_metadata"]["provider"] == provider
    mine = [each for each in user["identities"] if each["provider"] == provider]
    assert mine[0]["id"] == subject and mine[0]["identity_data"]["sub"] == subject
    assert claims_of(sessions[0]["access_token"])["amr"][0]["method"] == "oauth"


def test_a_subject_stays_the_same_user_though_the_address_changes():
    subject = str(uuid.uuid4())
    ids = {by_id_token("apple", id_token("apple", subject)).json()["user"]["id"] for _ in range(2)}
    assert len(ids) == 1
    other = by_id_token("google", id_token("google", subject)).json()["user"]["id"]
    assert other not in ids, "the same subject of another provider is another person"


def test_who_is_signed_in_links_a_provider_and_stays_who_they_are():
    session = by_phone()
    token = id_token("apple", email=fresh_email())
    refused(by_id_token("apple", token, link_identity=True), 401, "no_authorization")
    body = {"provider": "apple", "id_token": token, "link_identity": True}
    linked = auth("/token?grant_type=id_token", body, session["access_token"]).json()
    check_session(linked)
    assert linked["user"]["id"] == session["user"]["id"]
    assert by_id_token("apple", token, link_identity=False).json()["user"]["id"] == session["user"]["id"]
    refused(auth("/token?grant_type=id_token", body, by_phone()["access_token"]), 422, "identity_already_exists")


def test_an_address_is_one_accounts_whatever_the_way():
    email = fresh_email()
    auth("/otp", {"email": email})
    first = auth("/verify", {"type": "email", "email": email, "token": message(email)["code"]}).json()["user"]
    second = by_id_token("google", id_token("google", email=email)).json()["user"]
    assert first["id"] == second["id"] and set(second["app_metadata"]["providers"]) == {"email", "google"}


def forged(**changes):
    from cryptography.hazmat.primitives.asymmetric import ec
    truth = id_token("apple")
    claims = claims_of(truth) | changes
    return jwt.encode(claims, ec.generate_private_key(ec.SECP256R1()), "ES256",
                      headers={"kid": jwt.get_unverified_header(truth)["kid"]})


@pytest.mark.parametrize("provider, make, nonce", [
    ("apple", lambda: id_token("apple", nonce="one"), "two"),
    ("apple", lambda: id_token("apple", nonce="one"), None),
    ("apple", lambda: id_token("apple"), "one"),
    ("google", lambda: id_token("apple"), None),
    ("apple", lambda: id_token("apple")[:-8] + "AAAAAAAA", None),
    ("apple", lambda: "a.b.c", None),
    ("apple", lambda: "nothing", None),
    ("apple", lambda: jwt.encode({"sub": "x", "aud": "development"}, "k" * 40, "HS256"), None),
    ("apple", forged, None),
    ("apple", lambda: forged(aud="another.app"), None),
    ("apple", lambda: forged(iss="https://evil.example.com"), None),
    ("apple", lambda: jwt.encode(claims_of(id_token("apple")), None, "none"), None),
    ("apple", lambda: by_phone()["access_token"], None),
])
def test_a_bad_id_token_is_refused_in_the_oauth_form(provider, make, nonce):
    answer = by_id_token(provider, make(), **({"nonce": nonce} if nonce else {}))
    assert answer.status_code == 400
    assert answer.json() == {"error": "invalid request", "error_description": "Bad ID token"}


@pytest.mark.parametrize("provider", ["facebook", "", None])
def test_an_unknown_provider_is_refused(provider):
    refused(by_id_token(provider, "a.b.c"), 400, "validation_failed")
    answer = auth(f"/authorize?provider={provider or ''}&redirect_to=motiv://x", method="GET")
    refused(answer, 400, "validation_failed")


def through_google(query):
    answer = httpx.get(f"{site('MANNA')}/auth/v1/authorize?{query}", follow_redirects=False)
    assert answer.status_code == 302, answer.text
    steps = 0
    while answer.headers["location"].startswith("http") and steps < 5:
        target, steps = answer.headers["location"], steps + 1
        answer = httpx.get(target, follow_redirects=False)
        assert answer.status_code in (302, 303), answer.text
    return opened_target(answer.headers["location"])


def opened_target(target):
    path, _, fragment = target.partition("#")
    path, _, query = path.partition("?")
    return path, flat(query), flat(fragment)


def test_google_by_browser_leads_to_a_code_for_its_client():
    verifier = fresh_verifier()
    redirect = "com.rubentena.DailyManna://auth-callback"
    query = httpx.QueryParams({
        "provider": "google", "redirect_to": redirect, "scopes": "email profile", "code_challenge": challenge_of(verifier),
        "code_challenge_method": "s256"})
    path, query, fragment = through_google(query)
    assert path == redirect and set(query) == {"code"} and not fragment
    session = auth("/token?grant_type=pkce", {"auth_code": query["code"], "code_verifier": verifier}).json()
    check_session(session)
    assert session["user"]["app_metadata"]["provider"] == "google" and session["user"]["email"]


def test_google_by_browser_without_a_challenge_leads_to_the_session():
    path, query, fragment = through_google("provider=google&redirect_to=motiv%3A%2F%2Fauth-callback")
    assert path == "motiv://auth-callback" and fragment["access_token"] and fragment["refresh_token"]


def test_coming_back_from_a_provider_unasked_fails():
    answer = httpx.get(f"{site()}/auth/v1/callback?state=unknown&code=x", follow_redirects=False)
    assert answer.status_code in (302, 303) and "error" in answer.headers["location"]


# ---------------------------------------------------------------------------------------------------- sessions


def refresh(token):
    return auth("/token?grant_type=refresh_token", {"refresh_token": token})


def test_a_refresh_goes_on_with_the_same_session():
    first = by_phone()
    answer = refresh(first["refresh_token"])
    assert answer.status_code == 200
    check_session(answer.json())
    former, later = claims_of(first["access_token"]), claims_of(answer.json()["access_token"])
    assert former["session_id"] == later["session_id"] and former["sub"] == later["sub"]
    assert [each["method"] for each in later["amr"]] == ["token_refresh", "otp"]
    assert answer.json()["refresh_token"] != first["refresh_token"]


def test_a_refresh_that_is_repeated_at_once_answers_the_successor():
    first = by_phone()
    answers = [refresh(first["refresh_token"]).json() for _ in range(3)]
    assert len({each["refresh_token"] for each in answers}) == 1
    assert refresh(answers[0]["refresh_token"]).status_code == 200


def test_refreshes_at_the_same_time_agree():
    from concurrent.futures import ThreadPoolExecutor
    first = by_phone()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: refresh(first["refresh_token"]), range(8)))
    assert {each.status_code for each in answers} == {200}
    assert len({each.json()["refresh_token"] for each in answers}) == 1


def test_a_refresh_token_used_late_again_was_stolen():
    first = by_phone()
    second = refresh(first["refresh_token"]).json()
    time.sleep(11.5)
    refused(refresh(first["refresh_token"]), 400, "refresh_token_already_used")
    refused(auth("/user", token=second["access_token"], method="GET"), 403, "session_not_found")
    answer = refresh(second["refresh_token"])
    assert answer.status_code == 400 and answer.json()["code"] in ("refresh_token_not_found", "session_not_found")


def test_an_unknown_refresh_token_is_refused():
    refused(refresh("never-issued"), 400, "refresh_token_not_found")
    refused(refresh(by_phone()["access_token"]), 400, "refresh_token_not_found")
    refused(auth("/token?grant_type=refresh_token", {}), 400, "validation_failed")


@pytest.mark.parametrize("scope, mine, theirs", [("local", False, True), ("others", True, False), ("global", False, False),
                                                 (None, False, False)])
def test_signing_out_ends_what_its_scope_says(scope, mine, theirs):
    phone = fresh_phone()
    here, there = by_phone(phone), by_phone(phone)
    answer = auth("/logout" + (f"?scope={scope}" if scope else ""), token=here["access_token"])
    assert answer.status_code == 204 and answer.content == b""
    for session, lives in ((here, mine), (there, theirs)):
        user = auth("/user", token=session["access_token"], method="GET")
        again = refresh(session["refresh_token"])
        if lives:
            assert user.status_code == again.status_code == 200
        else:
            refused(user, 403, "session_not_found")
            refused(again, 400, "refresh_token_not_found")


def test_signing_out_twice_is_kind():
    session = by_phone()
    assert [auth("/logout?scope=global", token=session["access_token"]).status_code for _ in range(2)] == [204, 204]
    refused(auth("/logout"), 401, "no_authorization")
    refused(auth("/logout", headers={"Authorization": None}), 401, "no_authorization")
    refused(auth("/logout", token="a.b.c"), 403, "bad_jwt")


@pytest.mark.parametrize("token, status, code", [
    ("a.b.c", 403, "bad_jwt"), ("nonsense", 403, "bad_jwt"),
    (jwt.encode({"sub": "x", "exp": 4e9}, "k" * 40, "HS256"), 403, "bad_jwt")])
def test_a_bad_bearer_is_refused(token, status, code):
    refused(auth("/user", token=token, method="GET"), status, code)
    refused(auth("/user", {"data": {}}, token, "PUT"), status, code)
    answer = call("GET", "/rest/v1/habits", token=token)
    assert answer.status_code == 401 and answer.json()["code"] == "PGRST301"
    assert set(answer.json()) == {"code", "message", "details", "hint"}


def test_no_bearer_at_all_is_told():
    refused(auth("/user", method="GET", headers={"Authorization": None}), 401, "no_authorization")
    refused(auth("/user", {"data": {}}, method="PUT", headers={"Authorization": None}), 401, "no_authorization")


def test_a_token_is_signed_with_a_key_of_the_public_set():
    session = by_phone()
    header = jwt.get_unverified_header(session["access_token"])
    if header["alg"] == "HS256":
        pytest.skip("a secret of the server's signs")
    answer = httpx.get(f"{site()}/auth/v1/.well-known/jwks.json")
    keys = {each["kid"]: each for each in answer.json()["keys"]}
    assert header["typ"] == "JWT" and all("d" not in each for each in keys.values())
    key = jwt.PyJWK(keys[header["kid"]], header["alg"])
    claims = jwt.decode(session["access_token"], key.key, [header["alg"]], audience="authenticated")
    assert claims["sub"] == session["user"]["id"]


# ---------------------------------------------------------------------------------------------------- what people change


def test_metadata_merges_name_by_name():
    session = by_phone(data={"display_name": "Maja", "kept": [1, {"a": None}]})
    answer = auth("/user", {"data": {"display_name": "Willi", "n": 1.5, "deep": {"x": True}}}, session["access_token"], "PUT")
    assert answer.status_code == 200
    check_user(answer.json())
    assert answer.json()["user_metadata"] == {
        "display_name": "Willi", "kept": [1, {"a": None}], "n": 1.5, "deep": {"x": True}}
    assert auth("/user", token=session["access_token"], method="GET").json() == answer.json()
    assert auth("/user", {"data": {"n": 1.5}}, session["access_token"], "PATCH").status_code == 200
    claims = claims_of(refresh(session["refresh_token"]).json()["access_token"])
    assert claims["user_metadata"]["display_name"] == "Willi"


def test_an_update_of_nothing_answers_the_user():
    session = by_phone()
    answer = auth("/user", {"gotrue_meta_security": {}, "nonce": None}, session["access_token"], "PUT")
    assert answer.status_code == 200 and answer.json()["id"] == session["user"]["id"]
    refused(auth("/user", content=b"{", token=session["access_token"], method="PUT"), 400, "bad_json")
    refused(auth("/user", {"email": "no"}, session["access_token"], "PUT"), 400, "validation_failed")


def test_a_phone_is_linked_when_it_was_proven():
    session, phone = by_password(), fresh_phone()
    answer = auth("/user", {"phone": phone}, session["access_token"], "PUT")
    assert answer.status_code == 200 and answer.json()["phone"] == ""
    sent = message(phone)
    assert sent["template"] == "phone_change" and sent["channel"] == "sms"
    refused(auth("/verify", {"type": "phone_change", "phone": phone, "token": "000000"}), 403, "otp_expired")
    linked = auth("/verify", {"type": "phone_change", "phone": phone, "token": sent["code"]}, session["access_token"])
    assert linked.status_code == 200
    check_session(linked.json())
    user = linked.json()["user"]
    assert user["id"] == session["user"]["id"] and user["phone"] == phone[1:] and user["phone_confirmed_at"]
    assert set(user["app_metadata"]["providers"]) == {"email", "phone"} and user["email"] == session["user"]["email"]
    assert by_phone(phone)["user"]["id"] == user["id"]


def test_what_another_has_is_not_given():
    phone, session = fresh_phone(), by_phone()
    by_phone(phone)
    email = by_password()["user"]["email"]
    refused(auth("/user", {"phone": phone}, session["access_token"], "PUT"), 422, "phone_exists")
    refused(auth("/user", {"email": email}, session["access_token"], "PUT"), 422, "email_exists")


def test_an_address_changes_when_the_new_one_was_proven():
    session = by_password()
    former, email = session["user"]["email"], fresh_email()
    answer = auth("/user?redirect_to=digit%3A%2F%2Fchanged", {"email": email.upper()}, session["access_token"], "PUT")
    assert answer.status_code == 200 and answer.json()["email"] == former
    changed = auth("/verify", {"type": "email_change", "email": email, "token": message(email)["code"]})
    assert changed.status_code == 200, changed.text
    assert changed.json()["user"]["email"] == email and changed.json()["user"]["id"] == session["user"]["id"]
    assert auth("/token?grant_type=password", {"email": email, "password": PASSWORD}).status_code == 200
    refused(auth("/token?grant_type=password", {"email": former, "password": PASSWORD}), 400, "invalid_credentials")


def test_a_new_address_is_proven_by_its_link_too():
    session, email = by_password(), fresh_email()
    auth("/user?redirect_to=digit%3A%2F%2Fchanged", {"email": email}, session["access_token"], "PUT")
    _, target, _, fragment = opened(message(email)["link"])
    assert target == "digit://changed" and fragment["access_token"]
    assert auth("/user", token=session["access_token"], method="GET").json()["email"] == email


# ---------------------------------------------------------------------------------------------------- the form of errors


@pytest.mark.parametrize("path, body, status, code", [
    ("/verify", {"type": "sms", "phone": "+15552345678", "token": "000000"}, 403, "otp_expired"),
    ("/otp", {"phone": "x"}, 400, "validation_failed"),
    ("/token?grant_type=refresh_token", {"refresh_token": "x"}, 400, "refresh_token_not_found"),
    ("/signup", {"email": "a@example.com", "password": "x"}, 422, "weak_password")])
def test_errors_have_the_older_form_without_the_version(path, body, status, code):
    answer = auth(path, body, old=True)
    said = answer.json()
    assert answer.status_code == status and said["code"] == status and said["error_code"] == code and said["msg"]
    assert ("weak_password" in said) == (code == "weak_password")


@pytest.mark.parametrize("version", ["", "x", "2023-12-31", "2024-02-30"])
def test_errors_have_the_older_form_under_an_unknown_version(version):
    answer = call("POST", "/auth/v1/otp", {"phone": "x"}, headers={"X-Supabase-Api-Version": version})
    said = answer.json()
    assert answer.status_code == 400 and said["code"] == 400 and said["error_code"] == "validation_failed" and said["msg"]
    assert "x-supabase-api-version" not in answer.headers


def test_every_answer_repeats_the_version():
    assert auth("/health", method="GET").headers["x-supabase-api-version"] == "2024-01-01"
    session = by_phone()
    for answer in (auth("/user", token=session["access_token"], method="GET"), refresh(session["refresh_token"]),
                   auth("/nothing"), auth("/verify", method="DELETE")):
        assert answer.headers["x-supabase-api-version"] == "2024-01-01"


@pytest.mark.parametrize("method, path", [
    ("GET", "/token"), ("DELETE", "/verify"), ("GET", "/resend"), ("POST", "/user"), ("GET", "/otp"), ("POST", "/authorize")])
def test_a_method_that_is_none_of_the_address_is_told(method, path):
    answer = auth(path, {} if method == "POST" else None, method=method)
    assert answer.status_code == 405 and answer.json()["message"]


# ---------------------------------------------------------------------------------------------------- functions


def function(name, body=None, token=None, app="MOTIV", **more):
    return call("POST", f"/functions/v1/{name}", body, token, app, old=True, **more)


def test_a_checkout_answers_where_to_go():
    somebody = Somebody("MOTIV")
    answer = function("create-checkout-session", {"price_id": "price_1"}, somebody.token,
                      headers={"x-region": "eu-west-1"})
    assert answer.status_code == 200 and answer.json()["url"].startswith("http")
    assert answer.headers["content-type"].startswith("application/json")
    forced = function("create-checkout-session?forceFunctionRegion=eu-west-1", {"price_id": "price_1"}, somebody.token)
    assert forced.status_code == 200


@pytest.mark.parametrize("content", [b"", b"{}", b"plain text", b"\xff\x00", b"[]", b'{"price_id": 7}', b'{"price_id": ""}'])
def test_a_checkout_that_lacks_its_price_says_so(content):
    answer = function("create-checkout-session", token=Somebody("MOTIV").token, content=content)
    assert answer.status_code == 400 and isinstance(answer.json()["error"], str) and answer.json()["error"]
    if content in (b"", b"{}"):
        assert answer.json()["error"] == "price_id is required"


def test_functions_that_do_not_succeed_say_why_in_one_member():
    token = Somebody("MOTIV").token
    for answer, status in ((function("nothing-of-the-kind", {}, token), 404), (function("send-email", {}), 401),
                           (function("send-email", {}, "a.b.c"), 401),
                           (function("send-email", {}, headers={"apikey": None}), 401),
                           (function("send-email/deeper", {}, token), 404)):
        assert answer.status_code == status and isinstance(answer.json().get("error"), str), answer.text


def test_functions_may_be_called_by_other_methods_without_a_fault():
    token = Somebody("MOTIV").token
    for method in ("GET", "PUT", "PATCH", "DELETE"):
        answer = call(method, "/functions/v1/create-checkout-session", token=token, app="MOTIV")
        assert answer.status_code < 500 and answer.json()


def test_a_mail_goes_to_its_own_address():
    somebody = Somebody("DIGIT", by_password(app="DIGIT"))
    email = somebody.session["user"]["email"]
    for body in ({"to": email, "subject": "Your week", "html": "<p>Five of seven.</p>"},
                 {"subject": "Your week", "text": "Five of seven."},
                 {"to": [email.upper()], "subject": "Your week", "body": "Five of seven."}):
        answer = function("send-email", body, somebody.token, "DIGIT")
        assert answer.status_code == 200 and answer.json()["id"], answer.text
    assert len([each for each in messages(email) if each["template"] == "note"]) == 3
    for body in ({}, {"subject": "x"}, {"to": "no", "subject": "x", "text": "x"},
                 {"to": ["a@example.com"], "subject": "x", "text": "x"}, {"to": [email, "a@example.com"], "subject": "x", "text": "x"},
                 {"to": {"a": 1}, "subject": "x", "text": "x"}):
        answer = function("send-email", body, somebody.token, "DIGIT")
        assert 400 <= answer.status_code < 500 and answer.json()["error"]


def test_functions_answer_under_a_second():
    somebody = Somebody("MOTIV")
    start = time.monotonic()
    function("create-checkout-session", {"price_id": "price_1"}, somebody.token)
    assert time.monotonic() - start < 1
