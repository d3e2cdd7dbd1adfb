"""An application on Flask and Authlib. Arguments: the issuer, the port of the application, the id and the secret of the client."""
import socket
import sys

from authlib.integrations.flask_client import OAuth
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, JsonWebToken
from flask import Flask, abort, jsonify, redirect, request, session

issuer, port, client_id, secret = sys.argv[1:]
own = f"http://127.0.0.1:{port}"
resolve = socket.getaddrinfo
# Python does not resolve names below localhost everywhere.
socket.getaddrinfo = lambda host, *rest, **more: resolve(
    "127.0.0.1" if str(host).endswith(".localhost") else host, *rest, **more
)

app = Flask("authlib")
app.secret_key = secret
client = OAuth(app).register(
    "vestibule",
    client_id=client_id,
    client_secret=secret,
    server_metadata_url=f"{issuer}/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile offline_access", "code_challenge_method": "S256"},
)
#: The tokens and the claims of the ID token, by `sid`.
visits = {}

@app.get("/sign-in")
def sign_in():
    return client.authorize_redirect(f"{own}/callback", **request.args)

@app.get("/callback")
def callback():
    tokens = client.authorize_access_token()
    session["sid"] = tokens["userinfo"]["sid"]
    visits[session["sid"]] = {**tokens, "claims": tokens["userinfo"], "userinfo": client.userinfo(token=tokens)}
    return redirect("/")

@app.get("/me")
def me():
    visit = visits.get(session.get("sid")) or abort(401)
    if "renew" in request.args:
        refresh = visit["refresh_token"]
        visit.update(client.fetch_access_token(grant_type="refresh_token", refresh_token=refresh))
    shown = {name: visit[name] for name in ("access_token", "refresh_token", "userinfo")}
    return jsonify(id_token=visit["claims"], **shown)

def ask(endpoint, send):
    token = visits[session["sid"]][request.args["token"]]
    return send(OAuth2Session(client_id, secret), client.load_server_metadata()[endpoint], token)

@app.get("/introspect")
def introspect():
    return ask("introspection_endpoint", OAuth2Session.introspect_token).json()

@app.get("/revoke")
def revoke():
    ask("revocation_endpoint", OAuth2Session.revoke_token).raise_for_status()
    return ""

@app.get("/sign-out")
def sign_out():
    hint = visits.pop(session.pop("sid"))["id_token"]
    end = client.load_server_metadata()["end_session_endpoint"]
    return redirect(f"{end}?id_token_hint={hint}&post_logout_redirect_uri={own}/")

@app.get("/")
def home():
    return "<h1>Authlib</h1>"

@app.post("/signed-out")
def signed_out():
    required = {"iss": {"value": issuer}, "aud": {"value": client_id}, "events": {"essential": True}}
    keys = JsonWebKey.import_key_set(client.fetch_jwk_set())
    claims = JsonWebToken(["RS256"]).decode(request.form["logout_token"], keys, claims_options=required)
    claims.validate()
    visits.pop(claims["sid"], None)
    return ""

app.run(port=int(port))
